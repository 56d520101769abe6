import { createHash } from 'node:crypto';

export const sessionHash = (sessionId: string) => createHash('sha256').update(sessionId).digest('hex');
