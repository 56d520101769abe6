import { createAccountServices } from './account-services.ts';
import { createChannelServices } from './channel-services.ts';
import { createCommonServices } from './common-services.ts';
import type { Installation } from './installation.ts';
import { createModelServices } from './model-services.ts';
import { createNoticeServices } from './notice-services.ts';
import { createSignInServices } from './sign-in-services.ts';
import { createTaskServices } from './task-services.ts';
import { createWalletServices } from './wallet-services.ts';

/** All services of an installation. A line names what it needs of the lines above it. */
export function createServices(installation: Installation) {
  const { checkAddress, ...common } = createCommonServices(installation);
  const base = { ...installation, ...common, checkAddress };
  const { delivery, ...notices } = createNoticeServices(base);
  const models = createModelServices({ ...base, ...notices });
  const { userStore, ...accounts } = createAccountServices({ ...base, ...notices });
  return {
    ...common,
    ...notices,
    ...models,
    ...accounts,
    ...createSignInServices({ ...base, ...accounts, userStore }),
    ...createWalletServices(base),
    ...createTaskServices({ ...base, ...notices, delivery }),
    ...createChannelServices({ ...base, ...models, ...notices }),
  };
}

export type Services = ReturnType<typeof createServices>;
