"""Logged games of riichi played again: Tenhou's JSON and XML, rules of that house, and what nothing explains."""

import gzip
import json

import pytest

from scoring.__main__ import main
from scoring.hands import Abort
from scoring.problems import Refusal
from scoring.systems.riichi.play import Riichi
from scoring.systems.riichi.replay import mjlog
from scoring.systems.riichi.replay.played import hand_of, replay
from scoring.systems.riichi.replay.reading import read_log, replayed
from scoring.systems.riichi.replay.tiles import ADDED, CHOW, PUNG, declared_of
from scoring.tiles.tile import RED, WHITE
from scoring.words import fill

EMA = Riichi()
NAMES = ["Ann", "Bob", "Cid", "Dee"]
START = [25000] * 4


def a_round(number, counters, bets, scores, result, discards=((), (), (), ())):
    """Write a round of Tenhou's JSON; tiles are passed over but for riichi among the discards."""
    tiles = [part for own in discards for part in ([11], [12], list(own))]
    return [[number, counters, bets], scores, [15], [], *tiles, result]


def a_game(*rounds, reds=0, final=None):
    log = {"title": ["", ""], "name": NAMES, "rule": {"disp": "x", "aka": reds}, "log": list(rounds)}
    return log | ({"sc": final} if final else {})


def win(changes, winner, discarder, value, *yaku, liable=None):
    return [changes, [winner, discarder, winner if liable is None else liable, value, *yaku]]


def played(*rounds, rules=EMA, **more):
    return replay(read_log(json.dumps(a_game(*rounds, **more)).encode()), rules)


def remarks(found, at=0):
    return [said(remark) for remark in found.rounds[at].remarks]


def said(remark):
    return fill(remark.sentence, remark.details) + (f" [{remark.clause}]" if remark.clause else "")


RON = a_round(
    0,
    0,
    0,
    START,
    ["和了", *win([0, 3900, -3900, 0], 1, 2, "30符3飜3900点", "立直(1飜)", "断幺九(1飜)", "ドラ(1飜)")],
)


def test_a_round_that_is_paid_as_here_has_no_remark():
    """[RIICHI 4.1.2]"""
    found = played(RON)
    assert found.rounds[0].paid == found.rounds[0].by_rules == (0, 3900, -3900, 0)
    assert remarks(found) == []
    assert found.is_explained
    assert [said(remark) for remark in found.remarks] == [
        "The game ended with East 1, before it is over by these rules. [RIICHI 3.6]"
    ]


def test_bets_stand_unless_the_tile_itself_is_won():
    """[RIICHI 3.3.14]"""
    bet, won = ((11, "r60"), (), ("r60", 11), ()), ((), (), (11, "r60"), ())
    yaku = ("断幺九(1飜)", "門前清自摸和(1飜)", "ドラ(1飜)")
    first = win([-2600, 7200, -1300, -1300], 1, 1, "40符3飜1300-2600点", *yaku)
    found = played(
        a_round(0, 0, 0, START, ["和了", *first], bet),
        a_round(
            1,
            0,
            0,
            [21400, 32200, 22700, 23700],
            ["和了", *win([0, 3900, -3900, 0], 1, 2, "30符2飜2900点", "立直(1飜)", "平和(1飜)")],
            won,
        ),
    )
    assert remarks(found) == []
    assert found.rounds[0].paid == (-3600, 7200, -2300, -1300)
    assert found.rounds[1].paid == (0, 3900, -3900, 0)
    (told,) = remarks(found, 1)
    assert told == "The log moves 0 +3900 −3900 0; these rules move 0 +2900 −2900 0. [RIICHI 4.1]"
    assert not found.is_explained


def test_red_fives_are_told_as_dora():
    """[RIICHI 2.4]"""
    value = win([0, 8000, -8000, 0], 1, 2, "満貫8000点", "断幺九(1飜)", "ドラ(2飜)", "赤ドラ(2飜)")
    one = win([0, 2000, -2000, 0], 1, 2, "30符2飜2000点", "断幺九(1飜)", "赤ドラ(1飜)")
    assert remarks(played(a_round(0, 0, 0, START, ["和了", *value]))) == [
        "South has 2 red fives, each of them a dora; there are none in these rules. [RIICHI 2.4]"
    ]
    assert "South has a red five" in remarks(played(a_round(0, 0, 0, START, ["和了", *one])))[0]
    found = played(RON, reds=1)
    assert "The game was played with red fives" in said(found.remarks[0])
    assert found.is_explained


@pytest.mark.parametrize(
    ("draw", "reason"),
    [
        ("九種九牌", "nine kinds"),
        ("四家立直", "four riichi"),
        ("四風連打", "four equal winds"),
        ("四槓散了", "four kongs"),
        ("三家和了", "three winners"),
    ],
)
def test_abortive_draws_are_named(draw, reason):
    """Bets stay, and what follows is that house's. [RIICHI 3.4]"""
    found = played(
        a_round(0, 0, 0, START, [draw], ((11, "r60", 12), (), (), ())),
        a_round(0, 1, 1, [24000, 25000, 25000, 25000], ["全員不聴"]),
    )
    assert len(remarks(found)) == 1
    assert reason in remarks(found)[0]
    assert found.is_explained


def test_exhausted_walls_move_three_thousand_and_the_deal():
    """[RIICHI 3.4.2] [RIICHI 3.4.11]"""
    found = played(
        a_round(0, 0, 0, START, ["流局", [1500, -1500, 1500, -1500]]),
        a_round(0, 1, 0, [26500, 23500, 26500, 23500], ["全員聴牌"]),
        a_round(0, 2, 0, [26500, 23500, 26500, 23500], ["流局", [-1000, 3000, -1000, -1000]]),
        a_round(1, 3, 0, [25500, 26500, 25500, 22500], ["全員不聴"]),
        a_round(2, 0, 1, [25500, 26500, 25500, 22400], ["全員不聴"]),
    )
    assert [remarks(found, at) for at in range(3)] == [[], [], []]
    assert remarks(found, 3) == [
        "The next round begins with 25500 26500 25500 22400; after this one it should be 25500 26500 25500 22500.",
        "Next stand 0 counters and 1 bets; by these rules 4 and 0. [RIICHI 3.4.10]",
    ]
    wrong = played(a_round(0, 0, 0, START, ["全員不聴"]), a_round(0, 1, 0, START, ["全員不聴"]))
    assert remarks(wrong) == ["By these rules East 2 is next. [RIICHI 3.4.11]"]


def test_an_exhausted_wall_that_is_paid_otherwise_is_not_explained():
    """[RIICHI 3.4.2]"""
    found = played(a_round(0, 0, 0, START, ["流局", [1000, -1000, 0, 0]]))
    assert remarks(found) == [
        "The log moves +1000 −1000 0 0; these rules move +3000 −1000 −1000 −1000. [RIICHI 4.1]"
    ]


def test_an_old_log_without_minipoints_has_none():
    """[RIICHI 4.1.1]"""
    said = {"who": "1", "fromWho": "2", "yaku": "1,1", "sc": "250,0,250,39,250,-39,250,0"}
    assert mjlog._win(said).fu is None
    assert mjlog._win(said | {"ten": "30,1000,0"}).fu == 30


def test_a_round_is_the_hand_of_its_number_however_it_ended():
    results = [
        RON[-1],
        ["流し満貫", [-4000, 8000, -2000, -2000]],
        ["九種九牌"],
        ["全員不聴"],
    ]
    rules = Riichi(nagashi_mangan=True)
    found = played(*(a_round(at, 0, 0, START, result) for at, result in enumerate(results)), rules=rules)
    assert [hand_of(one.logged, rules).number for one in found.rounds] == [1, 2, 3, 4]


def test_nagashi_mangan_is_paid_where_it_is_played():
    """[RIICHI 4.2.6]"""
    rounds = (
        a_round(0, 0, 0, START, ["流し満貫", [-4000, 8000, -2000, -2000]]),
        a_round(1, 1, 0, [21000, 33000, 23000, 23000], ["全員不聴"]),
    )
    found = played(*rounds)
    assert remarks(found) == [
        "Nagashi mangan was paid; these rules pay an exhausted wall. [RIICHI 4.2.6]",
        "The log moves −4000 +8000 −2000 −2000, these rules 0 0 0 0.",
    ]
    assert found.is_explained
    assert remarks(played(*rounds, rules=Riichi(nagashi_mangan=True))) == []


def test_counters_and_bets_of_several_winners_go_to_the_nearest():
    """[RIICHI 3.4.10] [RIICHI 4.1]"""
    value = ("30符2飜2000点", "断幺九(1飜)", "ドラ(1飜)")
    both = [*win([0, 0, -2600, 2600 + 2000], 3, 2, *value), *win([0, 2000, -2000, 0], 1, 2, *value)]
    found = played(a_round(0, 2, 0, START, ["和了", *both], ((), ("r60", 11), (), ("r60", 11))))
    assert remarks(found) == [
        "Of several winners only the nearest is paid the counters; here each is. [RIICHI 3.4.10]",
        "The nearest winner takes the bets of the other winners, too; here they return to them. [RIICHI 4.1]",
    ]
    assert found.is_explained


def test_several_yakuman_are_one_here():
    """[RIICHI 4.2]"""
    value = win([-32000, 64000, -16000, -16000], 1, 1, "役満16000-32000点", "四暗刻(役満)", "字一色(役満)")
    found = played(a_round(0, 0, 0, START, ["和了", *value]))
    assert remarks(found) == [
        "South has a hand of 2 yakuman; in these rules yakuman do not add up. [RIICHI 4.2]",
        "Several yakuman are paid several times; here once. [RIICHI 4.2]",
    ]
    double = win([-32000, 64000, -16000, -16000], 1, 1, "役満16000-32000点", "四暗刻単騎(役満)")
    assert remarks(played(a_round(0, 0, 0, START, ["和了", *double]))) == remarks(found)
    liable = win([0, 32000, -16000, -16000], 1, 2, "役満32000点", "大三元(役満)", liable=3)
    assert remarks(played(a_round(0, 0, 0, START, ["和了", *liable]))) == []


def test_a_win_without_a_yaku_is_named():
    """[RIICHI 3.2]"""
    found = played(
        a_round(0, 0, 0, START, ["和了", *win([0, 1000, -1000, 0], 1, 2, "30符1飜1000点", "ドラ(1飜)")])
    )
    assert remarks(found) == ["South won without a yaku. [RIICHI 3.2]"]
    assert not found.is_explained


def test_the_end_of_the_game_is_held_against_the_rounds():
    """[RIICHI 3.5] [RIICHI 3.6]"""
    last = a_round(7, 0, 1, [24000, 25000, 25000, 25000], ["全員不聴"])
    found = played(last, final=[24000, -6.0, 26000, 16.0, 25000, -4.0, 25000, -6.0])
    assert list(found.remarks) == []
    wrong = played(last, final=[24000, -6.0, 26000, 16.0, 25000, -4.0, 24000, -6.0])
    assert "The final scores are" in said(wrong.remarks[0])
    west = played(last, a_round(8, 1, 1, [24000, 25000, 25000, 25000], ["全員不聴"]))
    assert remarks(west) == ["The game goes on; by these rules it is over. [RIICHI 3.6]"]
    assert [said(remark) for remark in west.remarks] == [
        "A west round was played; these rules end after the south round. [RIICHI 3.5]"
    ]


XML = """<mjloggm ver="2.3"><SHUFFLE seed="" ref=""/><GO type="9" lobby="0"/>
<UN n0="%41%6E%6E" n1="Bob" n2="Cid" n3="Dee" dan="0,0,0,0"/><UN n0="again"/><TAIKYOKU oya="0"/>
<INIT seed="0,0,0,1,2,52" ten="250,250,250,250" oya="0" hai0="1"/><T1/><D1/>
<REACH who="1" step="1"/><REACH who="1" ten="250,240,250,250" step="2"/>
<AGARI ba="0,1" ten="30,3900,0" yaku="1,1,7,1,52,1,53,0" who="1" fromWho="2" sc="250,0,240,49,250,-39,250,0"/>
<INIT seed="1,0,0,1,2,52" ten="250,289,211,250" oya="1" hai0="1"/>
<RYUUKYOKU type="yao9" ba="0,0" sc="250,0,289,0,211,0,250,0"/>
<INIT seed="1,1,0,1,2,52" ten="250,289,211,250" oya="1" hai0="1"/>
<AGARI ba="1,0" ten="0,32000,5" yakuman="39" who="3" fromWho="2" paoWho="1" sc="250,0,289,-160,211,-163,250,323"/>
<INIT seed="2,0,0,1,2,52" ten="250,129,48,573" oya="2" hai0="1"/>
<RYUUKYOKU ba="0,0" sc="250,-15,129,-15,48,15,573,15" hai2="1" hai3="1" owari="235,-6.5,114,-8.6,63,-3.7,588,58.8"/></mjloggm>"""


def test_a_log_in_xml_is_read_packed_or_not():
    """[RIICHI 3.4.2]"""
    for raw in (XML.encode(), gzip.compress(XML.encode())):
        game = read_log(raw)
        found = replay(game, EMA)
        assert game.names == ("Ann", "Bob", "Cid", "Dee")
        assert [one.paid for one in found.rounds][:2] == [(0, 3900, -3900, 0), (0, 0, 0, 0)]
        assert [remarks(found, at) for at in (0, 2, 3)] == [[], [], []]
        assert "broken off" in remarks(found, 1)[0]
        assert [said(remark).partition(",")[0] for remark in found.remarks] == [
            "The game was played with red fives; each counts as a dora there. [RIICHI 2.4]",
            "The game ended with East 3",
        ]


ENTITY = '<!DOCTYPE a [<!ENTITY b "cccc">]><mjloggm>&b;</mjloggm>'


@pytest.mark.parametrize(
    "raw",
    [
        ENTITY.encode(),
        b"<mjloggm><INIT",
        b"<mjloggm/>",
        b'<mjloggm><GO type="25"/></mjloggm>',
        b'<mjloggm><INIT seed="0" ten="250,250,250,250"/></mjloggm>',
        b'<mjloggm><INIT seed="0,0,0" ten="250,250,250"/></mjloggm>',
        b'<mjloggm><INIT seed="0,0,x" ten="250,250,250,250"/></mjloggm>',
        b'<mjloggm><INIT seed="99,0,0" ten="250,250,250,250"/></mjloggm>',
        b'<mjloggm><AGARI who="1"/></mjloggm>',
        XML.replace('who="1" step="2"', 'who="7" step="2"').replace('who="1" ten', 'who="7" ten').encode(),
        XML.replace('yaku="1,1,7,1,52,1,53,0"', 'yaku="99,1"').encode(),
        b"\x1f\x8bno gzip",
        b"[]",
        b"{",
        b'{"name": ["a", "b", "c", "d"]}',
        json.dumps(a_game(RON) | {"name": ["a", "b", "c"]}).encode(),
        json.dumps(a_game(["x"])).encode(),
        json.dumps(a_game([["0"], *RON[1:]])).encode(),
        json.dumps(a_game([[16, 0, 0], *RON[1:]])).encode(),
        json.dumps(a_game([*RON[:-1], []])).encode(),
        json.dumps(a_game([*RON[:-1], ["和了"]])).encode(),
        json.dumps(a_game([*RON[:-1], ["?"]])).encode(),
        json.dumps(a_game([*RON[:-1], ["和了", [0, 0, 0, 0], [9, 0, 0, "", ""]]])).encode(),
        json.dumps(a_game([*RON[:-1], ["和了", [0, 0, 0, 0], [1, 0, 0, "", 5]]])).encode(),
        json.dumps(a_game([*RON[:-1], ["和了", [0, 0, 0, 0], [1, 0, 0, "", "?"]]])).encode(),
        json.dumps(a_game([RON[0], [1, 2, 3], *RON[2:]])).encode(),
    ],
    ids=range(26),
)  # fmt: skip
def test_what_is_no_log_is_refused(raw):
    """[RIICHI 2.1]"""
    with pytest.raises(Refusal) as refused:
        read_log(raw)
    assert all(str(problem) for problem in refused.value.problems)


def test_a_log_has_its_limits(monkeypatch):
    """Neither bytes, unpacked ones too, nor elements without end. [RIICHI 2.1]"""
    monkeypatch.setattr(mjlog, "MOST_ELEMENTS", 3)
    with pytest.raises(Refusal):
        read_log(XML.encode())
    monkeypatch.setattr(mjlog, "MOST_BYTES", 100)
    for raw in (XML.encode(), gzip.compress(XML.encode())):
        with pytest.raises(Refusal):
            read_log(raw)
    with pytest.raises(Refusal):
        mjlog.read(XML.encode())


def test_riichi_without_a_list_of_discards_is_none():
    """[RIICHI 3.3.14]"""
    broken = list(RON)
    broken[6] = 0
    assert played(broken).rounds[0].logged.riichi == ()


def test_the_command_tells_every_round(tmp_path, capsys):
    """[RIICHI 4.1]"""
    path = tmp_path / "game.json"
    path.write_text(json.dumps(a_game(RON)), encoding="utf-8")
    assert main(["replay", str(path)]) == 0
    out = capsys.readouterr().out
    assert "Ann · Bob · Cid · Dee" in out
    assert "East 1, counters 0: 0 +3900 −3900 0" in out
    assert main(["replay", "--lang", "ru", str(path)]) == 0
    assert "Восток 1" in capsys.readouterr().out
    path.write_text("[]", encoding="utf-8")
    assert main(["replay", str(path)]) == 1
    assert "no log" in capsys.readouterr().out
    assert main(["replay", str(tmp_path / "none.json")]) == 1
    path.write_text(json.dumps(a_game([*RON[:1], [1], *RON[2:]])), encoding="utf-8")
    assert main(["replay", str(path), "--rules", "riichi_festival"]) == 1
    assert "(log.0.1)" in capsys.readouterr().out
    unexplained = a_round(
        0, 0, 0, START, ["和了", *win([0, 9000, -9000, 0], 1, 2, "30符2飜2000点", "断幺九(2飜)")]
    )
    path.write_text(json.dumps(a_game(unexplained)), encoding="utf-8")
    assert main(["replay", str(path)]) == 1
    assert "no known rule of a house" in capsys.readouterr().out


KITAN = a_round(0, 0, 0, START, ["九種九牌"])
LATER = a_round(3, 0, 0, START, ["流局", [0, 0, 0, 0]])
NO_SUCH_HAND = a_round(0, 0, 0, START, ["和了", *win([0, 800, -800, 0], 1, 2, "25符1飜800点", "立直(1飜)")])
OVERPAID = a_round(
    0,
    0,
    0,
    START,
    ["和了", *win([0, 4000, -4000, 0], 1, 2, "30符3飜3900点", "立直(1飜)", "断幺九(1飜)", "ドラ(1飜)")],
)


@pytest.mark.parametrize(
    ("rounds", "against"),
    [
        ([RON], []),
        (
            [KITAN],
            ["East 1 was broken off: nine kinds of terminals and honors. This event plays on. [RIICHI 3.4]"],
        ),
        (
            [RON, LATER],
            [
                (
                    "By the rules of this event the hand before does not lead to East 4 with these counters and bets. "
                    "[RIICHI 3.4.11]"
                )
            ],
        ),
        ([OVERPAID], ["East 1 was paid otherwise than this event pays. [RIICHI 4.1]"]),
    ],
    ids=["as-here", "broken-off", "another-dealer", "overpaid"],
)
def test_a_game_is_a_protocol_only_where_both_rules_agree(rounds, against):
    """[RIICHI 3] [RULES 9.20]"""
    found = replayed(json.dumps(a_game(*rounds)).encode(), {})
    assert [said(remark) for remark in found.against] == against
    assert len(found.hands) == (0 if against else len(rounds))


def test_a_hand_that_cannot_be_is_no_protocol():
    """[RIICHI 4.1.2] [RULES 9.20]"""
    found = replayed(json.dumps(a_game(NO_SUCH_HAND)).encode(), {})
    assert said(found.against[0]).startswith("East 1 cannot happen by the rules of this event. [")
    assert found.hands == ()


# Where the regulation covers what the house does, it is no difference


DRAW_AND_NEXT = (
    a_round(0, 0, 0, START, ["九種九牌"], ((11, "r60", 12), (), (), ())),
    a_round(0, 1, 1, [24000, 25000, 25000, 25000], ["全員不聴"]),
    a_round(1, 2, 1, [24000, 25000, 25000, 25000], ["全員不聴"]),
)


def test_an_abortive_draw_of_the_regulation_is_a_hand_like_any_other():
    """Dealer and bets stay, one counter more; another kind is still a difference. [RULES 9.34]"""
    rules = Riichi(abortive_draws=frozenset({Abort.NINE_KINDS}))
    found = played(*DRAW_AND_NEXT, rules=rules)
    assert [remarks(found, at) for at in range(3)] == [[], [], []]
    log = json.dumps(a_game(*DRAW_AND_NEXT)).encode()
    assert [hand.abort for hand in replayed(log, {"abortive_draws": ["nine_kinds"]}).hands] == [
        "nine_kinds",
        None,
        None,
    ]
    assert replayed(log, {}).hands == ()
    (other,) = remarks(played(*DRAW_AND_NEXT, rules=Riichi(abortive_draws=frozenset({Abort.FOUR_WINDS}))))
    assert "nine kinds" in other


@pytest.mark.parametrize(("counts", "explained"), [("one", 2), ("several", 2), ("double", 0)])
def test_yakuman_that_the_regulation_adds_up_are_no_difference(counts, explained):
    """Four concealed pungs waiting for the pair count twice in this log, all honors once. [RULES 9.33]"""
    value = win([0, 96000, -96000, 0], 1, 2, "役満96000点", "四暗刻単騎(役満)", "字一色(役満)")
    found = played(
        a_round(0, 0, 0, START, ["和了", *value]), rules=Riichi.from_rules("RIICHI", {"yakuman": counts})
    )
    assert len(remarks(found)) == explained
    assert found.is_explained


def test_a_west_round_of_the_regulation_is_no_difference():
    """It begins while nobody has won enough, and ends once somebody has. [RULES 9.35]"""
    flat = [a_round(number, number, 0, START, ["全員不聴"]) for number in range(8)]
    west = a_round(
        8, 8, 0, START, ["和了", *win([0, 10400, -10400, 0], 1, 2, "満貫8000点", "断幺九(1飜)", "ドラ(4飜)")]
    )
    found = played(*flat, west, rules=Riichi(west_round=5000))
    assert [said(one) for one in found.remarks] == []
    assert all(not one.remarks for one in found.rounds)
    here = played(*flat, west)
    assert "A west round was played; these rules end after the south round. [RIICHI 3.5]" in map(
        said, here.remarks
    )
    assert "The game goes on; by these rules it is over. [RIICHI 3.6]" in remarks(here, 7)


def test_the_command_takes_house_rules(tmp_path, capsys):
    """[RULES 9.34]"""
    path = tmp_path / "log.json"
    path.write_text(json.dumps(a_game(*DRAW_AND_NEXT)), encoding="utf-8")
    assert main(["replay", str(path)]) == 0
    assert "nine kinds" in capsys.readouterr().out
    assert main(["replay", str(path), "--settings", '{"abortive_draws": ["nine_kinds"]}']) == 0
    assert "nine kinds" not in capsys.readouterr().out
    assert main(["replay", str(path), "--settings", '{"abortive_draws": ["rain"]}']) == 1
    assert main(["replay", str(path), "--settings", "[]"]) == 1


# The tiles of a win, valued by themselves

KINDS = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)] + [
    f"{number}z" for number in range(1, 8)
]


def ids(text):
    """Number tiles as a log does, each copy apart."""
    copies, found = dict.fromkeys(KINDS, 0), []
    for one in text.split():
        for digit in one[:-1]:
            kind = digit + one[-1]
            found.append(4 * KINDS.index(kind) + copies[kind])
            copies[kind] += 1
    return found


def agari(held, won, yaku, fu, *, sets=(), who=1, from_who=2, dora="", ura="", points=1000, yakuman=""):
    """Write a game of one win in XML with its tiles; the winning tile is the last one of its kind in hand."""
    hand = ids(held)
    tile = max(one for one in hand if one // 4 == KINDS.index(won))
    value = f'yakuman="{yakuman}"' if yakuman else f'yaku="{yaku}"'
    more = f'm="{",".join(map(str, sets))}" ' if sets else ""
    return (
        '<mjloggm><GO type="1"/><UN n0="A" n1="B" n2="C" n3="D"/><INIT seed="0,0,0,1,2,0" ten="250,250,250,250" oya="0"/>'
        f'<AGARI ba="0,0" hai="{",".join(map(str, hand))}" {more}machi="{tile}" ten="{fu},{points},0" {value} '
        f'doraHai="{",".join(map(str, ids(dora)))}" doraHaiUra="{",".join(map(str, ids(ura)))}" who="{who}" fromWho="{from_who}" '
        'sc="250,0,250,10,250,-10,250,0"/></mjloggm>'
    )


def told_of_tiles(xml):
    (one,) = replay(read_log(xml.encode()), EMA).rounds
    told = [remark for remark in one.remarks if "tiles" in remark.sentence]
    assert not any(remark.is_explained for remark in told)
    return [said(remark) for remark in told]


CHI = ((7 * 0 + 1) * 3 << 10) | CHOW | 3
PON = (33 * 3 << 9) | PUNG | 1
ADDED_KONG = (0 * 3 << 9) | ADDED | 2
OPEN_KONG, CONCEALED_KONG = (4 * 31 << 8) | 1, 4 * 31 << 8


@pytest.mark.parametrize(
    ("written", "kind", "tiles", "is_open"),
    [
        (CHI, "CHOW", (1, 2, 3), True),
        (PON, "PUNG", (RED,) * 3, True),
        (ADDED_KONG, "KONG", (0,) * 4, True),
        (OPEN_KONG, "KONG", (WHITE,) * 4, True),
        (CONCEALED_KONG, "KONG", (WHITE,) * 4, False),
    ],
)
def test_declared_sets_are_read_from_their_bits(written, kind, tiles, is_open):
    found = declared_of(written)
    assert (found.kind.name, found.tiles, found.is_open) == (kind, tiles, is_open)


@pytest.mark.parametrize("written", [-1, 1 << 16, 0x20, (40 * 3 << 9) | PUNG])
def test_what_is_no_declared_set_is_refused(written):
    with pytest.raises(Refusal):
        declared_of(written)


def test_a_win_whose_tiles_are_worth_what_the_log_says_has_no_remark():
    """Pinfu and all simples on a discard, 30 minipoints; with an open chow all simples alone. [RIICHI 4.1.1] [RIICHI 4.2]"""
    assert told_of_tiles(agari("234m 345p 567p 22s 678s", "8s", "7,1,8,1", 30)) == []
    assert told_of_tiles(agari("234m 345p 22s 678s 567p", "8s", "7,1,8,1,52,1", 30, dora="1m")) == []
    assert told_of_tiles(agari("345p 567p 22s 678s", "8s", "8,1", 30, sets=[CHI])) == []
    assert told_of_tiles(agari("123m 456p 789s 22s", "2s", "20,1", 40, sets=[PON])) != []


def test_what_the_tiles_say_otherwise_is_named():
    """[RIICHI 4.1.1] [RIICHI 4.2] [RIICHI 3.2]"""
    (yaku,) = told_of_tiles(agari("234m 345p 567p 22s 678s", "8s", "8,1", 30))
    assert yaku == "By the tiles South has: Pinfu 1; by the log: –. [RIICHI 4.2]"
    (dora,) = told_of_tiles(agari("234m 345p 567p 22s 678s", "8s", "7,1,8,1", 30, dora="1s"))
    assert dora == "By the tiles South has: Dora 2; by the log: –. [RIICHI 4.2]"
    (fu,) = told_of_tiles(agari("234m 345p 567p 22s 678s", "8s", "7,1,8,1", 40))
    assert fu == (
        "By the tiles South has 30 minipoints (closed hand on a discard); the log has 40. [RIICHI 4.1.1]"
    )
    (none,) = told_of_tiles(agari("234m 345p 567p 22s 679s", "9s", "8,1", 30))
    assert none.startswith(
        "The tiles of South are no win by these rules: The tiles are not four sets and a pair"
    )
    (lacking,) = told_of_tiles(agari("345p 567p 22s 789s", "9s", "8,1", 30, sets=[CHI]))
    assert "The hand has no yaku" in lacking


def test_yakuman_are_compared_by_what_they_are_and_without_dora():
    """Four concealed pungs waiting for the pair are called otherwise there. [RIICHI 4.2.5]"""
    xml = agari("222m 444p 666p 888s 55s", "5s", "", 40, yakuman="40", dora="1m", points=32000)
    assert told_of_tiles(xml) == []


def test_riichi_and_what_lies_below_the_indicator_are_taken_from_the_log():
    """[RIICHI 3.3.14]"""
    assert (
        told_of_tiles(agari("234m 345p 567p 22s 678s", "8s", "1,1,7,1,8,1,53,2", 30, dora="9m", ura="1s"))
        == []
    )


@pytest.mark.parametrize("change", [('machi="', 'machi="135'), ('hai="', 'hai="999,')])
def test_tiles_that_cannot_be_read_are_refused(change):
    xml = agari("234m 345p 567p 22s 678s", "8s", "7,1,8,1", 30).replace(*change, 1)
    with pytest.raises(Refusal) as refusal:
        read_log(xml.encode())
    assert refusal.value.problems[0].code == "log_form"
