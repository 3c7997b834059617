// The rule of the last hand is said at the table at the moment from which it holds, with a gong.

const STAGES = { "is-warning": "warning", "is-over": "over" };
const STROKES = { warning: 2, over: 3 };

let audio = null;

function gong(strokes) {
  const Context = globalThis.AudioContext ?? globalThis.webkitAudioContext;
  if (!Context) return;
  audio ??= new Context();
  for (let stroke = 0; stroke < strokes; stroke += 1) {
    const at = audio.currentTime + stroke * 0.9;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = 220;
    volume.gain.setValueAtTime(0.5, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.85);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.9);
  }
}

/** Say what holds from now on when the look of the clock changes; whoever opens the screen later reads it without a gong. */
export function callOut(screen, look) {
  if (look === "is-paused") return;
  const before = screen.stage;
  screen.stage = STAGES[look] ?? "running";
  const text = screen.state.clock.said?.[screen.stage];
  if (before === screen.stage || !text || screen.state.session_state !== "open") return;
  if (before !== undefined) gong(STROKES[screen.stage]);
  screen.say(text, { kind: "warning" });
}
