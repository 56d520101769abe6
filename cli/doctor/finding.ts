/** One line of the doctor: what was looked at, how it is, and what to do when it is not well. */
export interface Finding {
  check: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
}
