import { setPasswordCost } from '../../core/lib/password.ts';

// A hash as it is shipped takes a quarter of a second of a core; thousands of them were a fifth of what the tests took.
setPasswordCost({ N: 2 ** 10, r: 8, p: 1 });
