// Light or dark by the visitor's own choice, before the first paint; a page from a shared cache knows no cookie.
(() => {
  const root = document.documentElement;
  const kept = document.cookie.match(/(?:^|; )theme=(light|dark|sun)(?:;|$)/);
  if (kept) root.dataset.theme = kept[1];
  else delete root.dataset.theme;
})();
