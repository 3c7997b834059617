"""The addresses of the scoring tablets, under a tournament's own."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.tables.views import tablet, tablet_api

table = [
    path("", tablet_api.state, name="api_table"),
    path("hands/", tablet_api.record_hand, name="api_hands"),
    path("preview/", tablet_api.preview, name="api_preview"),
    path("evaluate/", tablet_api.evaluate, name="api_evaluate"),
    path("near/", tablet_api.near, name="api_near"),
    path("waits/", tablet_api.waits, name="api_waits"),
    path("fans/", tablet_api.fans, name="api_fans"),
    path("undo/", tablet_api.undo_hand, name="api_undo"),
    path("correct/", tablet_api.correct_hand, name="api_correct"),
    path("void/", tablet_api.void_hand, name="api_void"),
    path("final/", tablet_api.final_result, name="api_final"),
    path("end/", tablet_api.end, name="api_end"),
    path("resume/", tablet_api.resume, name="api_resume"),
    path("confirm/", tablet_api.confirm, name="api_confirm"),
    path("seats/", tablet_api.repair_seats, name="api_seats"),
    path("objection/", tablet_api.note_objection, name="api_objection"),
    path("sign-off/", tablet_api.sign_off, name="api_sign_off"),
    path("drop/", tablet_api.drop_entry, name="api_drop"),
    path("call/", tablet_api.call, name="api_call"),
]

api: list[URLPattern | URLResolver] = [
    path("admission/", tablet_api.admission, name="api_admission"),
    path("self/", tablet_api.oneself, name="api_self"),
    path("tables/", tablet_api.tables, name="api_tables"),
    path("batch/", tablet_api.batch, name="api_batch"),
    path("beat/", tablet_api.beat, name="api_beat"),
    path("session-<session>/table-<table>/", include(table)),
    path("<path:rest>", tablet_api.nowhere, name="api_nowhere"),
]

urlpatterns = [
    path("tablet/", tablet.shell, name="tablet"),
    path("tablet/session-<session>/table-<table>/", tablet.table_shell, name="tablet_table"),
    path("api/", include(api)),
]
