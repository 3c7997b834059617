// Facts of hands as values: whether two of them tell the same, however their fields are ordered, whichever number they bear
// and whoever dealt them.

export function isSameHand(one, other) {
  return Boolean(one && other) && written({ ...one, number: 0, as_played: null }) === written({ ...other, number: 0, as_played: null });
}

function written(value) {
  return JSON.stringify(ordered(value));
}

function ordered(value) {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== "object") return value;
  const fields = Object.keys(value).sort().filter((name) => value[name] !== null && value[name] !== undefined);
  return Object.fromEntries(fields.map((name) => [name, ordered(value[name])]));
}
