import { geminiClient } from '../../../support/matrix/client-gemini.ts';
import { playMatrix } from '../../../support/matrix/run-matrix.ts';

playMatrix('genai', geminiClient);
