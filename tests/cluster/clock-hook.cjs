// Preloaded into a server under test: its machine's clock is CLOCK_AHEAD_MS ahead of the others.
const aheadMs = Number(process.env.CLOCK_AHEAD_MS);
const TrueDate = Date;
const trueNow = TrueDate.now.bind(TrueDate);
const { timeOrigin } = performance;

globalThis.Date = class extends TrueDate {
  constructor(...words) {
    super(...(words.length > 0 ? words : [trueNow() + aheadMs]));
  }
  static now() {
    return trueNow() + aheadMs;
  }
};
Object.defineProperty(performance, 'timeOrigin', { value: timeOrigin + aheadMs });
