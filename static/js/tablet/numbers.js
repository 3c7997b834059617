// Which number a table bears in the hall: the page says which the first one has. Addresses and what is sent keep the number within the event. [RULES 9.41]

export function shownNumber(table) {
  const first = Number(document.querySelector("main")?.dataset?.firstTable);
  return table + (first || 1) - 1;
}

// The session and the table of an entry, as sentences say them.
export function placeOf({ session, table }) {
  return { session, table: shownNumber(table) };
}
