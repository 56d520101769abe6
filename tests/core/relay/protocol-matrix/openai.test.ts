import { openaiChatClient } from '../../../support/matrix/client-openai.ts';
import { playMatrix } from '../../../support/matrix/run-matrix.ts';

playMatrix('openai', openaiChatClient);
