import { aiClient } from '../../../support/matrix/client-ai.ts';
import { playMatrix } from '../../../support/matrix/run-matrix.ts';

playMatrix('ai-anthropic', aiClient('anthropic'));
