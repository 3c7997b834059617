"""Addresses of the judges, and of the players about them."""

from django.urls import include, path

from penalties.appeals import views as appeals_views
from penalties.ladder import views as ladder_views
from penalties.lateness import views as lateness_views
from penalties.paper import views as paper_views
from penalties.phone import views as phone_views
from penalties.player import views as player_views
from penalties.sanctions import views as sanctions_views
from penalties.substitutes import views as substitutes_views

app_name = "penalties"

desk = [
    path("judging/", ladder_views.judging, name="judging"),
    path("penalties/", ladder_views.penalties, name="penalties"),
    path("penalties/list.<slug:form>", ladder_views.penalties_file, name="penalties_file"),
    path("penalties/statistics/", ladder_views.statistics, name="statistics"),
    path("penalties/give/", ladder_views.give_any, name="give_any"),
    path("penalties/session-<session>/table-<table>/", ladder_views.give, name="give"),
    path("penalties/<int:number>/", ladder_views.penalty, name="penalty"),
    path("penalties/<int:number>/slip/", paper_views.slip, name="penalty_slip"),
    path("penalties/<int:number>/revoke/", ladder_views.revoke, name="revoke"),
    path("penalties/<int:number>/mark/", ladder_views.mark, name="mark_dead_hand"),
    path("penalties/<int:number>/approve/", ladder_views.approve, name="approve"),
    path("adjustments/", ladder_views.adjustments, name="adjustments"),
    path("adjustments/<slug:code>/reverse/", ladder_views.reverse, name="reverse"),
    path("teams/", ladder_views.teams, name="teams"),
    path("teams/<slug:code>/reverse/", ladder_views.reverse_team, name="reverse_team"),
    path("lateness/", lateness_views.current, name="lateness"),
    path("lateness/session-<session>/", lateness_views.clock, name="lateness_clock"),
    path("lateness/session-<session>/player-<int:number>/arrived/", lateness_views.arrived, name="arrived"),
    path(
        "lateness/session-<session>/player-<int:number>/change/",
        lateness_views.change,
        name="change_lateness",
    ),
    path(
        "lateness/session-<session>/player-<int:number>/strike/",
        lateness_views.strike,
        name="strike_lateness",
    ),
    path("lateness/session-<session>/player-<int:number>/slip/", paper_views.late_slip, name="lateness_slip"),
    path("lateness/session-<session>/print/", paper_views.late, name="print_lateness"),
    path("sanctions/", sanctions_views.register, name="sanctions"),
    path("sanctions/list.<slug:form>", sanctions_views.file, name="sanctions_file"),
    path("printer/", paper_views.printer, name="printer"),
    path("printer/sheets/", paper_views.waiting, name="waiting_sheets"),
    path("printer/ask/", paper_views.ask, name="ask_for_print"),
    path("printer/done/", paper_views.printed, name="tick_off_sheets"),
    path("substitutes/", substitutes_views.pool, name="substitutes"),
    path("substitutes/session-<session>/", substitutes_views.session, name="substitutes_session"),
    path("substitutes/session-<session>/empty/", substitutes_views.empty, name="leave_empty"),
    path("substitutes/session-<session>/return/", substitutes_views.give_back, name="return_player"),
    path("substitutes/session-<session>/fill/", substitutes_views.fill, name="fill_seat"),
    path("appeals/", appeals_views.appeals, name="appeals"),
    path("appeals/new/", appeals_views.new, name="new_appeal"),
    path("appeals/<int:number>/", appeals_views.appeal, name="appeal"),
    path("appeals/<int:number>/add/", appeals_views.add, name="add_statement"),
    path("appeals/<int:number>/deposit/", appeals_views.deposit, name="take_deposit"),
    path("appeals/<int:number>/not-accepted/", appeals_views.not_accepted, name="not_accept"),
    path("appeals/<int:number>/matter/", appeals_views.classify, name="classify_appeal"),
    path("appeals/<int:number>/return/", appeals_views.give_back, name="return_deposit"),
    path("appeals/<int:number>/hearing/", appeals_views.hearing, name="set_hearing"),
    path("appeals/<int:number>/conflict/", appeals_views.conflict, name="declare_conflict"),
    path("appeals/<int:number>/vote/", appeals_views.vote, name="vote"),
    path("appeals/<int:number>/decide/", appeals_views.decide, name="decide"),
    path("appeals/<int:number>/withdraw/", appeals_views.withdraw, name="withdraw_appeal"),
    path("appeals/<int:number>/further/", appeals_views.further, name="take_further"),
    path("appeals/<int:number>/print/", appeals_views.printed, name="print_appeal"),
    path("appeals/<int:number>/receipt/", appeals_views.receipt, name="receipt"),
    path("appeals/<int:number>/files/<int:file>/", appeals_views.file, name="appeal_file"),
]

own = [
    path("judging/", player_views.own, name="own"),
    path("appeal/", player_views.new, name="file_own"),
    path("appeal/<int:number>/", player_views.appeal, name="own_appeal"),
    path("appeal/<int:number>/withdraw/", player_views.withdraw, name="withdraw_own_appeal"),
    path("appeal/<int:number>/further/", player_views.further, name="take_own_further"),
    path("appeal/<int:number>/files/<int:file>/", player_views.file, name="own_file"),
]

phone = [
    path("", phone_views.shell, name="phone"),
    path("api/self/", phone_views.oneself, name="phone_self"),
    path("api/state/", phone_views.state, name="phone_state"),
    path("api/batch/", phone_views.batch, name="phone_batch"),
    path("api/session-<session>/outlook/", phone_views.outlook, name="phone_outlook"),
    path("api/session-<session>/table-<table>/call/", phone_views.call, name="phone_call"),
]

urlpatterns = [
    path("<slug:slug>/desk/", include(desk)),
    path("<slug:slug>/me/<link>/", include(own)),
    path("<slug:slug>/referee/", include(phone)),
]
