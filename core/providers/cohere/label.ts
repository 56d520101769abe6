import { typeFacts } from '../type-fact.ts';
export const { label: cohereLabel } = typeFacts(34);
