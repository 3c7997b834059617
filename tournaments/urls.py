"""Addresses of the tournaments application; the words in them are those of docs and screens."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.desk.views import organizer, people, sessions, timetable
from tournaments.exchange.views import downloads, prizes
from tournaments.operator import views as operator
from tournaments.people.views import importing
from tournaments.privacy import views as privacy
from tournaments.public.views import archive, hall, passwords, player, public
from tournaments.standings.views import standings, statistics
from tournaments.tables.views import paper, tablet_worker

app_name = "tournaments"

desk = [
    path("", organizer.desk, name="desk"),
    path("settings/", organizer.settings, name="settings"),
    path("settings/delete/", privacy.delete_draft, name="delete_draft"),
    path("regulation/", organizer.regulation, name="edit_regulation"),
    path("announce/", organizer.announce, name="announce"),
    path("close/", organizer.close, name="close"),
    path("reopen/", organizer.reopen, name="reopen"),
    path("clone/", organizer.clone, name="clone"),
    path("staff/", organizer.staff, name="staff"),
    path("staff/<int:role>/end/", organizer.end_role, name="end_role"),
    path("staff/<int:role>/new-password/", organizer.allow_new_password, name="allow_new_password"),
    path("history/", organizer.history, name="history"),
    path("hall/", hall.desk, name="hall_desk"),
    path("hall/steer/", hall.steer, name="steer_hall"),
    path("tablets/", organizer.tablets, name="tablets"),
    path("tablets/<int:device>/sign-off/", organizer.sign_off_tablet, name="sign_off_tablet"),
    path("people/", people.people, name="people"),
    path("people/add/", people.add, name="add_player"),
    path("people/cards/", paper.cards, name="player_cards"),
    path("people/paste/", people.paste, name="paste_players"),
    path("people/import/", importing.import_players, name="import_players"),
    path("people/import/sample.csv", importing.sample, name="import_sample"),
    path("people/contacts.<slug:form>", downloads.contacts, name="download_contacts"),
    path("people/requests/", privacy.requests, name="erasure_requests"),
    path("people/requests/<int:request_number>/decline/", privacy.decline, name="decline_erasure"),
    path("people/erase/<int:person>/", privacy.erase, name="erase_player"),
    path("people/<int:number>/", people.edit, name="edit_player"),
    path("people/<int:number>/withdraw/", people.withdraw, name="withdraw_player"),
    path("people/<int:number>/admit/", people.admit, name="admit_player"),
    path("people/<int:number>/link/", people.renew_link, name="renew_link"),
    path("check-in/", people.check_in, name="check_in"),
    path("check-in/<int:number>/", people.check_in_one, name="check_in_one"),
    path("sessions/", sessions.sessions, name="sessions"),
    path("sessions/timetable/", timetable.edit_timetable, name="edit_timetable"),
    path("sessions/<session>/start/", sessions.start, name="start_session"),
    path("sessions/<session>/clock/", sessions.clock, name="change_clock"),
    path("sessions/<session>/close/", sessions.close, name="close_session"),
    path("sessions/<session>/reopen/", sessions.reopen, name="reopen_session"),
    path("sessions/<session>/withdraw/", sessions.withdraw, name="withdraw_seating"),
    path("sessions/<session>/sheets/", paper.sheets, name="protocol_sheets"),
    path("sessions/<session>/sheets/table-<table>/", paper.sheet, name="protocol_sheet"),
    path("tables/", sessions.tables, name="tables"),
    path("tables/<session>/<table>/", sessions.table, name="table_desk"),
    path("tables/<session>/<table>/correct/<int:number>/", sessions.correct, name="correct_hand"),
    path("tables/<session>/<table>/answer-call/", sessions.answer_call, name="answer_call"),
    path("tables/<session>/<table>/end-call/", sessions.end_call, name="end_call"),
    path("tables/<session>/<table>/sign-off/", sessions.sign_off, name="sign_off_protocol"),
]

event: list[URLPattern | URLResolver] = [
    path("", public.event, name="event"),
    path("regulation/", public.regulation, name="regulation"),
    path("register/", public.register, name="register"),
    path("report/", operator.report, name="report_abuse"),
    path("players/", public.players, name="players"),
    path("find/", public.find, name="find"),
    path("player-<int:number>/", public.player, name="player"),
    path("seating/", public.seating, name="seating"),
    path("standings/", standings.standings, name="standings"),
    path("standings/explain/", standings.explain, name="explain"),
    path("downloads/", downloads.downloads, name="downloads"),
    path("downloads/all.xlsx", downloads.everything, name="download_everything"),
    path("downloads/record.json", downloads.record, name="download_record"),
    path("downloads/<slug:sheet>.<slug:form>", downloads.download, name="download"),
    path("timetable.ics", downloads.timetable, name="timetable"),
    path("final-protocol/", downloads.final_protocol, name="final_protocol"),
    path("prizes/", prizes.prizes, name="prizes"),
    path("prizes/prizes.<slug:form>", prizes.prizes_file, name="prizes_file"),
    path("prizes/diplomas/", prizes.diplomas, name="diplomas"),
    path("session-<session>/", public.session, name="session"),
    path("session-<session>/hands/", statistics.session_hands, name="session_hands"),
    path("statistics/", statistics.statistics, name="statistics"),
    path("session-<session>/table-<table>/", public.protocol, name="protocol"),
    path("session-<session>/table-<table>/print/", paper.protocol, name="print_protocol"),
    path("me/<link>/", player.own_page, name="own_page"),
    path("me/<link>/change/", player.change, name="change_own"),
    path("me/<link>/withdraw/", player.withdraw, name="withdraw_own"),
    path("me/<link>/confirm/", player.confirm, name="confirm_own"),
    path("me/<link>/data/", privacy.own_data, name="own_data"),
    path("me/<link>/data.json", privacy.own_export, name="own_export"),
    path("me/<link>/code.svg", player.code, name="own_code"),
    path("hall/", hall.screen, name="hall"),
    path("desk/", include(desk)),
    path("", include("tournaments.tables.urls")),
]

urlpatterns = [
    path("", public.home, name="home"),
    path("archive/", archive.archive, name="archive"),
    path("new/", organizer.new, name="new"),
    path("new-password/<link>/", passwords.new_password, name="new_password"),
    path("privacy/", privacy.notice, name="privacy"),
    path("accounts/data/", privacy.account, name="own_account"),
    path("accounts/data/account.json", privacy.export_account, name="export_own_account"),
    path("accounts/data/delete/", privacy.delete_account, name="delete_own_account"),
    path("operator/", include("tournaments.operator.urls")),
    path("tablet-worker.js", tablet_worker.worker, name="tablet_worker"),
    path("", include("tournaments.api.urls")),
    path("<slug:slug>/", include(event)),
]
