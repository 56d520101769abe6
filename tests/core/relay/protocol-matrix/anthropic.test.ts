import { anthropicClient } from '../../../support/matrix/client-anthropic.ts';
import { playMatrix } from '../../../support/matrix/run-matrix.ts';

playMatrix('anthropic', anthropicClient);
