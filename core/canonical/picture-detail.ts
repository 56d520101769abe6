import type { Part } from './chat-request.ts';

/** `auto` leaves it to the model, which is what every other vendor does anyway. */
export function asksForDetail({ detail }: Extract<Part, { kind: 'image' }>): boolean {
  return detail !== undefined && detail !== 'auto';
}
