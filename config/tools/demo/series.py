"""The series of the demo: what its events are played by and called; each event that is over is followed by another."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Series:
    """Events of one shipped regulation; the second one has a number behind its name and address."""

    preset: str
    name: str
    slug: str


IN_PLAY = Series("sbr", "Bamboo Grove · Бамбуковая роща", "bamboo-grove")
WITH_A_DRAFT = Series("riichi_ema", "Winter Winds · Зимние ветры", "winter-winds")
IN_REGISTRATION = Series("wmsg", "Spring Peonies · Весенние пионы", "spring-peonies")
FINISHED = (
    Series("mcr", "Autumn Tiles · Осенние кости", "autumn-tiles"),
    Series("red", "Red Lanterns · Красные фонари", "red-lanterns"),
    Series("siamese", "Three Winds · Три ветра", "three-winds"),
)
