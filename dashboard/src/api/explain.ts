import type { ExplanationView } from '../../../core/schemas/explain.ts';
import { api } from './client.ts';

export type { ExplanationView };

export interface ExplainQuestion {
  model: string;
  group?: string;
  token_id?: number;
  channel_id?: number;
  protocol: string;
  stream: boolean;
  body?: string;
}

/** What would become of a call; nothing is sent. */
export const explainCall = (question: ExplainQuestion) => api.post<ExplanationView>('/api/explain', question);
