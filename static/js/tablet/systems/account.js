// What the arithmetic of every system is made of: an account that moves points between seats, and who comes after whom.

export const SEATS = ["E", "S", "W", "N"];

export class Account {
  constructor(seats) {
    this.seats = seats;
    this.points = Object.fromEntries(seats.map((seat) => [seat, 0]));
    this.unpaid = 0;
  }

  move(to, payers, points) {
    for (const payer of payers) {
      this.points[payer] -= points;
      this.points[to] += points;
    }
  }

  fine(seat, points) {
    this.points[seat] -= points;
    this.unpaid += points;
  }

  others(seat) {
    return this.seats.filter((other) => other !== seat);
  }
}

export function inTurn(seats, from) {
  const start = seats.indexOf(from);
  return seats.map((_, step) => seats[(start + step) % seats.length]).slice(1);
}

// The deal passes to the next seat; when it comes back to the first one, the next round begins.
export function passRound(at) {
  const dealer = inTurn(at.seats, at.dealer)[0];
  if (dealer !== at.seats[0]) return { ...at, dealer };
  return { ...at, dealer, round: SEATS[(SEATS.indexOf(at.round) + 1) % 4] };
}

export function wins(facts) {
  return facts.events.filter((event) => event.type === "win");
}
