/** Unix seconds. Services take one as a dependency so that tests can turn it. */
export type Clock = () => number;

export const nowSeconds: Clock = () => Math.floor(Date.now() / 1000);

export const secondsPerHour = 3600;
export const secondsPerDay = 86_400;

/** 9999-12-31: what is later is a mistake, such as milliseconds, and not every calendar can show it. */
export const latestTime = 253_402_300_799;

/** The first full hour that begins at or after the given moment. */
export function hourAtOrAfter(seconds: number): number {
  return Math.ceil(seconds / secondsPerHour) * secondsPerHour;
}

/** The full hour a moment lies in. */
export function hourOf(seconds: number): number {
  return Math.floor(seconds / secondsPerHour) * secondsPerHour;
}
