import type { ErrorRule } from '../../errors/classify-upstream.ts';

/** Codes that come with HTTP 200 (other-compatible sheet, Coze). */
export const cozeErrors: readonly ErrorRule[] = [
  { codes: ['4000'], kind: 'client' },
  { codes: ['4100', '4101', '4105'], kind: 'dead' },
  { codes: ['4008', '4009', '4027', '4028'], kind: 'balance' },
  { codes: ['4013', '5000', 'requires_action'], kind: 'retry' },
];
