"""The words by which people decide are these in Russian: two of them exchanged are two decisions exchanged.

A catalogue can be complete and wrong. Whatever a page shows of a state, a role, a wind or a verdict comes from the lists
below, which are read like a schema; the same holds for the short words of the tablet.
"""

from collections.abc import Iterator

import pytest
from django.db.models import TextChoices
from django.utils import translation as language

from config.tools import translation

STATES = {
    "Tournament.State": "draft Черновик | announced Регистрация | running Идёт игра | closed Завершён | cancelled Отменён",
    "Role.Kind": (
        "organizer Организатор | chief_referee Главный судья | referee Судья | scorer Секретарь стола"
        " | committee Арбитражный комитет"
    ),
    "Registration.Status": (
        "active Зарегистрирован | waiting Лист ожидания | cancelled Регистрация отменена | withdrawn Снялся"
        " | removed Отстранён | disqualified Дисквалифицирован"
    ),
    "Mail.Kind": (
        "registered Регистрация с личной ссылкой | place_offered Предложено место из листа ожидания"
        " | place_given Место из листа ожидания | cancelled Турнир отменён | takes_place Турнир всё же состоится"
        " | seats Места в следующей сессии | seat_changed Изменение места | results Результат турнира"
        " | receipt Подтверждение оплаты взноса"
    ),
    "Mail.State": (
        "waiting Ждёт отправки | sending Отправляется | sent Отправлено | failed Не отправлено"
        " | dropped Уже неактуально"
    ),
    "PushSubscription.Sort": (
        "seats Стол и место, когда опубликована рассадка | starts Сессия начнётся через десять минут"
        " | result Результат стола | place Место в таблице, когда завершена сессия | appeal Решение по апелляции"
    ),
    "PushNotice.State": (
        "waiting Ожидает | sending Отправляется | sent Отправлено | failed Не отправлено | dropped Уже неверно"
    ),
    "Session.State": "planned Запланирована | open Идёт игра | closed Закрыта",
    "Wind": "E Восток | S Юг | W Запад | N Север",
    "Adjustment.Origin": "desk Решение | penalty Штраф | lateness Опоздание | appeal Апелляция",
    "Adjustment.Timing": "before до распределения мест | after после распределения мест",
    "HallScreen.Part": "seating Рассадка | clock Часы | standings Турнирная таблица | hands Лучшие руки",
    "Protocol.Mode": "hands По сдачам | final_result Только итог",
    "Protocol.State": "open Идёт игра | ended Ждёт подтверждения | confirmed Подтверждено | signed_off Закрыт судьёй",
    "InForce": "in_force Действует | corrected Исправлена | undone Отменена | voided Аннулирована",
    "Draw.Mode": (
        "random Случайная | fixed Постоянная на все сессии | programmed Программная | swiss Швейцарская"
        " | manual Вручную"
    ),
    "Draw.State": (
        "running Составляется | cancelled Прервана | failed Невозможна | draft Черновик | published Опубликована"
        " | discarded Отложена"
    ),
    "Penalty.Kind": "ladder По шкале | fixed Фиксированный штраф | decision По решению",
    "Penalty.Effect": (
        "game_points Игровые очки | tournament_points Турнирные очки | warning Предупреждение"
        " | dead_hand Мёртвая рука | removal Отстранение от турнира | disqualification Дисквалификация"
    ),
    "Penalty.State": "proposed Ждёт второго решения | in_force Действует | revoked Отменён",
    "Penalty.Decider": "referee Судья | chief_referee Главный судья | committee Арбитражный комитет",
    "Penalty.Receiver": " Никому | table Каждому из остальных за столом | player Один игрок",
    "Lateness.State": "running Ещё не пришёл | arrived Пришёл | absent Не пришёл | mistake Отмечено по ошибке",
    "PrintRequest.Kind": (
        "penalty Карточка штрафа | lateness Список опозданий | late Карточка опоздания"
        " | appeal Материалы апелляции | receipt Квитанция о залоге"
    ),
    "Appeal.By": "player Игрок | team_leader Капитан команды",
    "Appeal.Matter": "rules Правила и регламент | other Другой вопрос",
    "Appeal.State": (
        "chief_referee У главного судьи | committee В комитете | recommended Рекомендация главному судье"
        " | upheld Удовлетворена | dismissed Отклонена | withdrawn Отозвана | not_accepted Не принята: нет залога"
    ),
    "Tournament.Listing": (
        "listed На главной странице | awaiting Ждёт оператора | hidden Вне списков | withheld Закрыт для посторонних"
        " | archived В архиве | deleted Удалено"
    ),
    "AbuseReport.Kind": (
        "spam Реклама или вовсе не турнир | offensive Оскорбления или незаконное | personal Чьи-то персональные данные"
        " | other Другое"
    ),
    "ErasureRequest.State": "open Открыт | done Удалено | declined Отклонено",
    "Verdict": "upheld Удовлетворена | dismissed Отклонена | recommended Рекомендовано изменить",
}
ON_THE_TABLET = {
    "East": "Восток", "South": "Юг", "West": "Запад", "North": "Север",
    "E": "В", "S": "Ю", "W": "З", "N": "С",
    "East wind": "Восточный ветер", "South wind": "Южный ветер",
    "West wind": "Западный ветер", "North wind": "Северный ветер",
    "Red dragon": "Красный дракон", "Green dragon": "Зелёный дракон", "White dragon": "Белый дракон",
    "characters": "символы", "dots": "точки", "bamboos": "бамбуки",
    "Confirm": "Подтвердить", "Correct": "Исправить", "Undo": "Отменить", "Void": "Аннулировать",
    "Keep it": "Оставить", "Take it back": "Отменить сдачу", "Go back": "Назад", "Play on": "Играть дальше",
    "Open kong": "Открытый конг", "added kong": "дополненный конг", "delayed kong": "отложенный конг",
    "Open": "Открытый", "Concealed": "Закрытый", "Added": "Дополненный", "Delayed": "Отложенный",
    "Chow": "Чоу", "Pung": "Панг", "Kong": "Конг",
    "Waiting": "Ожидание", "Not waiting": "Нет ожидания", "waiting": "ожидание", "not waiting": "нет ожидания",
    "Active pig": "Активный «поросёнок»", "Passive pig": "Пассивный «поросёнок»",
    "active pig": "активный «поросёнок»", "passive pig": "пассивный «поросёнок»",
    "Win": "Победа", "No win": "Ничья", "False win": "Ложный маджонг", "Dead hand": "Мёртвая рука",
    "From the wall": "Со стены", "Discarded": "Снёс",
    "Mangan": "Манган", "Haneman": "Ханеман", "Baiman": "Байман", "Sanbaiman": "Санбайман", "Yakuman": "Якуман",
    "Saved": "Сохранено", "not sent yet": "ещё не отправлена", "No connection": "Нет связи",
    "Called": "Вызван", "On the way": "Идёт", "In play": "Играет", "Confirmed": "Подтверждено",
    "Signed off": "Закрыт судьёй",
}  # fmt: skip


def enumerations(of: type = TextChoices) -> Iterator[type]:
    """List the enumerations of the applications."""
    for one in of.__subclasses__():
        if one.__module__.partition(".")[0] in {"tournaments", "seating", "penalties"}:
            yield one
        yield from enumerations(one)


def test_every_state_has_its_russian_words_here():
    assert {one.__qualname__ for one in enumerations()} == STATES.keys(), (
        "choices are written out in STATES, as people read them in Russian"
    )


@pytest.mark.parametrize("enumeration", list(enumerations()), ids=lambda one: one.__qualname__)
def test_states_are_called_so_in_russian(enumeration):
    with language.override("ru"):
        said = " | ".join(f"{value} {label}" for value, label in enumeration.choices)
    assert said == STATES[enumeration.__qualname__]


def test_the_tablet_calls_things_so_in_russian():
    catalogue = translation.by_key(translation.stored(translation.domains()["scripts"], "ru"))
    said = {word: catalogue["", word].string for word in ON_THE_TABLET}
    assert said == ON_THE_TABLET
