"""Addresses of the draw."""

from django.urls import path

from seating.desk import views as desk_views
from seating.drafts import views as drafts_views
from seating.publishing import views as publishing_views

app_name = "seating"
urlpatterns = [
    path("<slug:slug>/desk/draw/", desk_views.draw, name="draw"),
    path("<slug:slug>/desk/draw/anew/", desk_views.redraw, name="redraw"),
    path("<slug:slug>/desk/draw/foreseen/", desk_views.foreseen, name="foreseen"),
    path("<slug:slug>/desk/draw/commit/", desk_views.commit, name="commit"),
    path("<slug:slug>/desk/draw/paste/", desk_views.paste, name="paste"),
    path("<slug:slug>/desk/draw/repair/", desk_views.repair, name="repair"),
    path("<slug:slug>/desk/draw/compare/", drafts_views.compare, name="compare"),
    path("<slug:slug>/desk/draw/prints/", publishing_views.prints, name="prints"),
    path("<slug:slug>/desk/draw/session-<session>/", publishing_views.change, name="change"),
    path("<slug:slug>/desk/draw/session-<session>/take-back/", drafts_views.take_back, name="take_back"),
    path("<slug:slug>/desk/draw/session-<session>/winds/", publishing_views.winds, name="winds"),
    path("<slug:slug>/desk/draw/<int:number>/progress/", desk_views.progress, name="progress"),
    path("<slug:slug>/desk/draw/<int:number>/cancel/", desk_views.cancel, name="cancel"),
    path("<slug:slug>/desk/draw/<int:number>/swap/", drafts_views.swap, name="swap"),
    path("<slug:slug>/desk/draw/<int:number>/pin/", drafts_views.pin, name="pin"),
    path("<slug:slug>/desk/draw/<int:number>/undo/", drafts_views.undo, name="undo"),
    path("<slug:slug>/desk/draw/<int:number>/discard/", drafts_views.discard, name="discard"),
    path("<slug:slug>/desk/draw/<int:number>/take-up/", drafts_views.take_up, name="take_up"),
    path("<slug:slug>/desk/draw/<int:number>/publish/", drafts_views.publish, name="publish"),
    path("<slug:slug>/draw/", publishing_views.draws, name="draws"),
    path("<slug:slug>/session-<session>/draw/", publishing_views.proof, name="proof"),
]
