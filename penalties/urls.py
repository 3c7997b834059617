"""Addresses of the judges, and of the players about them."""

from django.urls import include, path

from penalties.views import appeals, judging, lateness, player, substitutes

app_name = "penalties"

desk = [
    path("judging/", judging.judging, name="judging"),
    path("penalties/", judging.penalties, name="penalties"),
    path("penalties/list.<slug:form>", judging.penalties_file, name="penalties_file"),
    path("penalties/statistics/", judging.statistics, name="statistics"),
    path("penalties/give/", judging.give_any, name="give_any"),
    path("penalties/session-<session>/table-<table>/", judging.give, name="give"),
    path("penalties/<int:number>/", judging.penalty, name="penalty"),
    path("penalties/<int:number>/revoke/", judging.revoke, name="revoke"),
    path("penalties/<int:number>/mark/", judging.mark, name="mark_dead_hand"),
    path("penalties/<int:number>/approve/", judging.approve, name="approve"),
    path("adjustments/", judging.adjustments, name="adjustments"),
    path("adjustments/<slug:code>/reverse/", judging.reverse, name="reverse"),
    path("lateness/", lateness.current, name="lateness"),
    path("lateness/session-<session>/", lateness.clock, name="lateness_clock"),
    path("lateness/session-<session>/player-<int:number>/arrived/", lateness.arrived, name="arrived"),
    path("lateness/session-<session>/player-<int:number>/change/", lateness.change, name="change_lateness"),
    path("lateness/session-<session>/player-<int:number>/strike/", lateness.strike, name="strike_lateness"),
    path("substitutes/", substitutes.pool, name="substitutes"),
    path("substitutes/session-<session>/", substitutes.session, name="substitutes_session"),
    path("substitutes/session-<session>/empty/", substitutes.empty, name="leave_empty"),
    path("substitutes/session-<session>/return/", substitutes.give_back, name="return_player"),
    path("substitutes/session-<session>/fill/", substitutes.fill, name="fill_seat"),
    path("appeals/", appeals.appeals, name="appeals"),
    path("appeals/new/", appeals.new, name="new_appeal"),
    path("appeals/<int:number>/", appeals.appeal, name="appeal"),
    path("appeals/<int:number>/add/", appeals.add, name="add_statement"),
    path("appeals/<int:number>/deposit/", appeals.deposit, name="take_deposit"),
    path("appeals/<int:number>/return/", appeals.give_back, name="return_deposit"),
    path("appeals/<int:number>/hearing/", appeals.hearing, name="set_hearing"),
    path("appeals/<int:number>/vote/", appeals.vote, name="vote"),
    path("appeals/<int:number>/decide/", appeals.decide, name="decide"),
    path("appeals/<int:number>/withdraw/", appeals.withdraw, name="withdraw_appeal"),
    path("appeals/<int:number>/further/", appeals.further, name="take_further"),
    path("appeals/<int:number>/print/", appeals.printed, name="print_appeal"),
    path("appeals/<int:number>/receipt/", appeals.receipt, name="receipt"),
    path("appeals/<int:number>/files/<int:file>/", appeals.file, name="appeal_file"),
]

own = [
    path("judging/", player.own, name="own"),
    path("appeal/", player.new, name="file_own"),
    path("appeal/<int:number>/", player.appeal, name="own_appeal"),
    path("appeal/<int:number>/withdraw/", player.withdraw, name="withdraw_own_appeal"),
    path("appeal/<int:number>/further/", player.further, name="take_own_further"),
    path("appeal/<int:number>/files/<int:file>/", player.file, name="own_file"),
]

urlpatterns = [
    path("<slug:slug>/desk/", include(desk)),
    path("<slug:slug>/me/<link>/", include(own)),
]
