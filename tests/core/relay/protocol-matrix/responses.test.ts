import { openaiResponsesClient } from '../../../support/matrix/client-responses.ts';
import { playMatrix } from '../../../support/matrix/run-matrix.ts';

playMatrix('responses', openaiResponsesClient);
