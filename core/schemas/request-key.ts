import { z } from 'zod';

/** From a browser, which may send a request twice by itself: what the first one has made is told to the second. */
export const requestKeySchema = z.uuid().optional();
