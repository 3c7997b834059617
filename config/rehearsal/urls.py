"""The addresses of rehearsals."""

from django.urls import path

from config.rehearsal import views

app_name = "rehearsal"

urlpatterns = [
    path("<slug:slug>/desk/rehearsal/", views.rehearsal, name="rehearsal"),
    path("<slug:slug>/desk/rehearsal/turn/", views.turn, name="turn"),
    path("<slug:slug>/desk/rehearsal/wipe/", views.wipe, name="wipe"),
]
