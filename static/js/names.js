// Names as they are looked for: without case and marks, and as they sound in the other alphabet; as tournaments/people/rules/spelling.py.

const LETTERS = {
  а: "a", б: "b", в: "v", г: "g", д: "d", е: "e", ж: "zh", з: "z", и: "i", й: "i", к: "k", л: "l", м: "m", н: "n", о: "o", п: "p", р: "r", с: "s",
  т: "t", у: "u", ф: "f", х: "kh", ц: "ts", ч: "ch", ш: "sh", щ: "shch", ъ: "", ы: "y", ь: "", э: "e", ю: "yu", я: "ya", і: "i", ї: "yi", є: "ye",
  ґ: "g", ў: "u", "'": "",
};
const ALIKE = [
  [/shch|sch/g, "sh"], [/tch/g, "ch"], [/kh/g, "h"], [/ts|tz|c(?!h)/g, "c"], [/x/g, "ks"], [/w/g, "v"], [/ph/g, "f"], [/[yj]/g, "i"],
  [/ie/g, "e"], [/(.)\1+/g, "$1"],
];

export function plain(text) {
  return text.toLowerCase().replaceAll("ё", "е").replaceAll("’", "'").normalize("NFKD").replace(/\p{M}/gu, "");
}

function folded(text) {
  const latin = [...plain(text)].map((letter) => LETTERS[letter] ?? letter).join("");
  return ALIKE.reduce((said, [pattern, letters]) => said.replace(pattern, letters), latin);
}

function sounds(text) {
  const small = text.toLowerCase();
  return ["e", "yo"].map((way) => folded(small.replaceAll("ё", way)));
}

/** Say whether a part of a name is looked for: as it is written, or as it sounds in the other alphabet. */
export function answers(query, name) {
  if (plain(name).includes(plain(query))) return true;
  const written = sounds(name);
  return sounds(query).some((way) => way && written.some((said) => said.includes(way)));
}
