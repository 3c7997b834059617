"""Addresses of the draw."""

from django.urls import path

from seating.views import desk, draft, published

app_name = "seating"
urlpatterns = [
    path("<slug:slug>/desk/draw/", desk.draw, name="draw"),
    path("<slug:slug>/desk/draw/anew/", desk.redraw, name="redraw"),
    path("<slug:slug>/desk/draw/foreseen/", desk.foreseen, name="foreseen"),
    path("<slug:slug>/desk/draw/commit/", desk.commit, name="commit"),
    path("<slug:slug>/desk/draw/paste/", desk.paste, name="paste"),
    path("<slug:slug>/desk/draw/repair/", desk.repair, name="repair"),
    path("<slug:slug>/desk/draw/compare/", draft.compare, name="compare"),
    path("<slug:slug>/desk/draw/prints/", published.prints, name="prints"),
    path("<slug:slug>/desk/draw/session-<session>/", published.change, name="change"),
    path("<slug:slug>/desk/draw/session-<session>/winds/", published.winds, name="winds"),
    path("<slug:slug>/desk/draw/<int:number>/progress/", desk.progress, name="progress"),
    path("<slug:slug>/desk/draw/<int:number>/cancel/", desk.cancel, name="cancel"),
    path("<slug:slug>/desk/draw/<int:number>/swap/", draft.swap, name="swap"),
    path("<slug:slug>/desk/draw/<int:number>/pin/", draft.pin, name="pin"),
    path("<slug:slug>/desk/draw/<int:number>/undo/", draft.undo, name="undo"),
    path("<slug:slug>/desk/draw/<int:number>/discard/", draft.discard, name="discard"),
    path("<slug:slug>/desk/draw/<int:number>/take-up/", draft.take_up, name="take_up"),
    path("<slug:slug>/desk/draw/<int:number>/publish/", draft.publish, name="publish"),
    path("<slug:slug>/draw/", published.draws, name="draws"),
    path("<slug:slug>/session-<session>/draw/", published.proof, name="proof"),
]
