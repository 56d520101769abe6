import account from './route/account.json' with { type: 'json' };
import objects from './route/objects.json' with { type: 'json' };
import operation from './route/operation.json' with { type: 'json' };

export const route = { ...account, ...objects, ...operation };
