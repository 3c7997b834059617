"""Addresses of the tournaments application; the words in them are those of docs and screens."""

from django.urls import include, path

from tournaments.views import hall, organizer, people, player, public, sessions, tablet_worker

app_name = "tournaments"

desk = [
    path("", organizer.desk, name="desk"),
    path("settings/", organizer.settings, name="settings"),
    path("regulation/", organizer.regulation, name="edit_regulation"),
    path("announce/", organizer.announce, name="announce"),
    path("close/", organizer.close, name="close"),
    path("reopen/", organizer.reopen, name="reopen"),
    path("clone/", organizer.clone, name="clone"),
    path("staff/", organizer.staff, name="staff"),
    path("staff/<int:role>/end/", organizer.end_role, name="end_role"),
    path("history/", organizer.history, name="history"),
    path("tablets/", organizer.tablets, name="tablets"),
    path("tablets/<int:device>/sign-off/", organizer.sign_off_tablet, name="sign_off_tablet"),
    path("people/", people.people, name="people"),
    path("people/add/", people.add, name="add_player"),
    path("people/paste/", people.paste, name="paste_players"),
    path("people/<int:number>/", people.edit, name="edit_player"),
    path("people/<int:number>/withdraw/", people.withdraw, name="withdraw_player"),
    path("people/<int:number>/admit/", people.admit, name="admit_player"),
    path("people/<int:number>/link/", people.renew_link, name="renew_link"),
    path("check-in/", people.check_in, name="check_in"),
    path("check-in/<int:number>/", people.check_in_one, name="check_in_one"),
    path("sessions/", sessions.sessions, name="sessions"),
    path("sessions/<session>/start/", sessions.start, name="start_session"),
    path("sessions/<session>/clock/", sessions.clock, name="change_clock"),
    path("sessions/<session>/close/", sessions.close, name="close_session"),
    path("sessions/<session>/reopen/", sessions.reopen, name="reopen_session"),
    path("sessions/<session>/withdraw/", sessions.withdraw, name="withdraw_seating"),
    path("sessions/<session>/sheets/", sessions.sheets, name="protocol_sheets"),
    path("tables/", sessions.tables, name="tables"),
    path("tables/<session>/<table>/", sessions.table, name="table_desk"),
    path("tables/<session>/<table>/correct/<int:number>/", sessions.correct, name="correct_hand"),
    path("tables/<session>/<table>/sign-off/", sessions.sign_off, name="sign_off_protocol"),
]

event = [
    path("", public.event, name="event"),
    path("regulation/", public.regulation, name="regulation"),
    path("register/", public.register, name="register"),
    path("players/", public.players, name="players"),
    path("find/", public.find, name="find"),
    path("player-<int:number>/", public.player, name="player"),
    path("seating/", public.seating, name="seating"),
    path("standings/", public.standings, name="standings"),
    path("session-<session>/", public.session, name="session"),
    path("session-<session>/table-<table>/", public.protocol, name="protocol"),
    path("me/<link>/", player.own_page, name="own_page"),
    path("me/<link>/change/", player.change, name="change_own"),
    path("me/<link>/withdraw/", player.withdraw, name="withdraw_own"),
    path("me/<link>/code.svg", player.code, name="own_code"),
    path("hall/", hall.screen, name="hall"),
    path("desk/", include(desk)),
    path("", include("tournaments.tablet_urls")),
]

urlpatterns = [
    path("", public.home, name="home"),
    path("new/", organizer.new, name="new"),
    path("tablet-worker.js", tablet_worker.worker, name="tablet_worker"),
    path("<slug:slug>/", include(event)),
]
