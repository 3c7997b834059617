// What a browser does a moment later; a test can wait until nothing of it is left to do.

const MOST_TURNS = 20_000;
let pending = 0;
let era = 0;

export function soon(work) {
  const born = era;
  pending += 1;
  setImmediate(() => {
    if (born !== era) return;
    pending -= 1;
    work();
  });
}

// Everything that waits for no time has happened; what goes on for ever without a rest is a fault.
export async function settled() {
  let turns = 0;
  for (let quiet = 0; quiet < 3; quiet += 1) {
    await new Promise((done) => setImmediate(done));
    if (pending) quiet = -1;
    turns += 1;
    if (turns > MOST_TURNS) giveUp();
  }
}

function giveUp() {
  pending = 0;
  era += 1;
  throw new Error("It never comes to rest.");
}
