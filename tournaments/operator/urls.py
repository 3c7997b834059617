"""The operator's addresses, within those of the tournaments application."""

from django.urls import path

from tournaments.operator import views

account = "accounts/<int:account>/"
event = "events/<int:event>/"

urlpatterns = [
    path("", views.overview, name="operator_overview"),
    path("accounts/", views.accounts, name="operator_accounts"),
    path(account, views.account, name="operator_account"),
    path(f"{account}approve/", views.approve, name="operator_approve"),
    path(f"{account}disapprove/", views.disapprove, name="operator_disapprove"),
    path(f"{account}block/", views.block, name="operator_block"),
    path(f"{account}unblock/", views.unblock, name="operator_unblock"),
    path(f"{account}reset/", views.reset, name="operator_reset"),
    path(f"{account}delete/", views.delete_account, name="operator_delete_account"),
    path(f"{account}export/", views.export_account, name="operator_export_account"),
    path("events/", views.events, name="operator_events"),
    path(event, views.event, name="operator_event"),
    path(f"{event}list/", views.list_event, name="operator_list_event"),
    path(f"{event}hide/", views.hide, name="operator_hide"),
    path(f"{event}withhold/", views.withhold, name="operator_withhold"),
    path(f"{event}archive/", views.archive, name="operator_archive"),
    path(f"{event}hand-over/", views.hand_over, name="operator_hand_over"),
    path(f"{event}delete/", views.delete_draft, name="operator_delete_draft"),
    path("reports/", views.reports, name="operator_reports"),
    path("reports/<int:report>/resolve/", views.resolve, name="operator_resolve"),
    path("persons/", views.persons, name="operator_persons"),
    path("persons/<int:person>/", views.person, name="operator_person"),
    path("persons/<int:person>/export/", views.export_person, name="operator_export_person"),
    path("log/", views.log, name="operator_log"),
]
