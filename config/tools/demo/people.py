"""Who plays in the demo, and where: invented people with the names of birds, from many countries, in their own letters.

Cities are kept in English and marked for translation: pages show those of a demo event in the reader's language.
"""

from dataclasses import dataclass

from django.utils.translation import gettext_noop


@dataclass(frozen=True)
class Person:
    """Somebody invented."""

    name: str
    country: str
    city: str


HOME = gettext_noop("Samara")
VENUE = gettext_noop("House of Culture, main hall")
ABOUT = gettext_noop(
    "An invented event: its players are birds, and it plays by itself. Look around, change what you like; it begins anew."
)

PEOPLE = tuple(
    Person(*known)
    for known in (
        ("Белый Журавль", "RU", gettext_noop("Samara")),
        ("Grey Heron", "GB", gettext_noop("London")),
        ("Зимородок", "RU", gettext_noop("Kazan")),
        ("Zaunkönig", "DE", gettext_noop("Berlin")),
        ("Золотая Иволга", "RU", gettext_noop("Samara")),
        ("Rouge-gorge", "FR", gettext_noop("Lyon")),
        ("Снегирь", "KZ", gettext_noop("Almaty")),
        ("Kingfisher", "IE", gettext_noop("Dublin")),
        ("Кулик", "RU", gettext_noop("Saratov")),
        ("Pettirosso", "IT", gettext_noop("Turin")),
        ("Синяя Сойка", "RU", gettext_noop("Moscow")),
        ("Gouden Plevier", "NL", gettext_noop("Utrecht")),
        ("Жаўрук", "BY", gettext_noop("Minsk")),
        ("Rödhake", "SE", gettext_noop("Lund")),
        ("Свиристель", "RU", gettext_noop("Perm")),
        ("Sikora", "PL", gettext_noop("Krakow")),
        ("Славей", "BG", gettext_noop("Sofia")),
        ("Mésange bleue", "BE", gettext_noop("Ghent")),
        ("Пустельга", "RU", gettext_noop("Ufa")),
        ("Punarinta", "FI", gettext_noop("Turku")),
        ("Дятел", "RU", gettext_noop("Kazan")),
        ("Gråspurv", "DK", gettext_noop("Aarhus")),
        ("Кос", "RS", gettext_noop("Novi Sad")),
        ("Golondrina", "ES", gettext_noop("Seville")),
        ("Клёст", "RU", gettext_noop("Perm")),
        ("Rouxinol", "PT", gettext_noop("Porto")),
        ("Сапсан", "RU", gettext_noop("Ufa")),
        ("Amsel", "AT", gettext_noop("Vienna")),
        ("Козодой", "KZ", gettext_noop("Astana")),
        ("Rotkehlchen", "CH", gettext_noop("Basel")),
        ("Ласточка", "RU", gettext_noop("Saratov")),
        ("Fülemüle", "HU", gettext_noop("Budapest")),
        ("Чёрный Стриж", "RU", gettext_noop("Moscow")),
        ("Stehlík", "CZ", gettext_noop("Brno")),
        ("Турсунбулбул", "UZ", gettext_noop("Tashkent")),
        ("Linnut Lind", "EE", gettext_noop("Tartu")),
        ("Иволга-Младшая", "RU", gettext_noop("Samara")),
        ("Cardinal", "US", gettext_noop("Chicago")),
        ("Чиж", "RU", gettext_noop("Saint Petersburg")),
        ("Uguisu", "JP", gettext_noop("Kyoto")),
        ("Варакушка", "RU", gettext_noop("Omsk")),
        ("Wren", "GB", gettext_noop("Leeds")),
    )
)
"""Forty who play, and two who wait to replace somebody."""

TEAMS = (
    "Журавли · Cranes", "Ласточки · Swallows", "Соколы · Falcons", "Совы · Owls", "Цапли · Herons",
    "Жаворонки · Larks", "Стрижи · Swifts", "Иволги · Orioles", "Дрозды · Thrushes", "Свиристели · Waxwings",
)  # fmt: skip
