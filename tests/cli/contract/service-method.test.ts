import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, createApp } from '../../../core/app.ts';
import { loadConfig } from '../../../core/config.ts';
import { type CliHome, createCliHome } from '../../support/run-cli.ts';

/** Methods without a command, by the reason why there is none. A new method needs a command or a line here. */
const withoutCommand: Record<string, string[]> = {
  'the server does it, at a call or in a job': [
    'logs.record',
    'logs.retain',
    'tokens.usageOfKey',
    'channels.recordFailure',
    'channels.disableAutomatically',
    'channels.recordSuccess',
    'channels.recordStreamOptionsRefusal',
    'channels.onSwitched',
    'sessions.removeExpired',
    'codes.removeExpired',
    'notices.put',
    'notices.sendDue',
    'notices.removeOld',
    'channelNotice.switched',
    'channelNotice.tested',
    'channelNotice.close',
    'ledgerNotice.strayed',
    'ledgerNotice.close',
    'quotaReminder.remindDue',
    'taskStore.owned',
    'taskStore.due',
    'taskStore.change',
    'taskStore.ended',
    'taskNotices.sendDue',
    'taskProgress.poll',
    'taskProgress.apply',
    'taskStore.noteRefused',
    'taskStore.pictureOf',
    'taskStore.openOf',
    'taskStore.page',
    'taskStore.hide',
    'drawingLinks.forConsole',
    'drawingLinks.forCaller',
    'drawingLinks.ownerOf',
    'storedResponses.remember',
    'storedResponses.ownerOf',
    'storedResponses.ownersOf',
    'storedResponses.forget',
    'storedResponses.removeOld',
    'servedModels.read',
    'servedModels.forget',
    'audit.recordAll',
    'scheduledSync.run',
    'syncNotice.synced',
    'syncNotice.failed',
    'syncNotice.close',
    'pricing.find',
    'pricing.findJob',
    'pricing.forget',
    'channelChecks.testAll',
    'channelChecks.startTestAll',
    'channelChecks.progress',
    'channelChecks.isTesting',
    'channelChecks.stop',
    'channelBalances.updateBalances',
    'channelBalances.startUpdateBalances',
    'channelBalances.progress',
    'channelBalances.stop',
    'wallet.receiveNotice',
    'ledgerProofs.verify',
    'limitAlerts.tellDue',
    'limitAlerts.removeOld',
    'ledgerProofs.start',
    'ledgerProofs.list',
  ],
  'the command does it to all that are named, in one step': [
    'options.reset',
    'users.manage',
    'tokens.setStatus',
    'tokens.remove',
    'redemptions.setStatus',
    'redemptions.remove',
  ],
  'other services are built on it': [
    'listedModels.read',
    'listedModels.store',
    'listedModels.markApplied',
    'listedModels.forget',
    'listedModels.facts',
    'priceSync.find',
    'options.load',
    'options.change',
    'options.has',
    'options.put',
    'options.onChange',
    'abilities.rebuild',
    'abilities.update',
    'abilities.remove',
    'abilities.setEnabled',
    'groups.hasRatio',
    'groups.ratioOf',
    'groups.usable',
    'groups.usableBy',
    'accounts.open',
    'accounts.insert',
    'rootAccount.ensure',
    'codes.issue',
    'codes.check',
    'codes.use',
    'mailer.deliver',
    'mailer.requireReady',
    'mailer.send',
    'mailer.settled',
    'mailer.close',
    'twoFactors.isOn',
    'twoFactors.verify',
    'freshSessions.isFresh',
    'freshSessions.require',
    'sessions.revokeAll',
    'oidc.authorizationEndpoint',
    'oidc.authorizationUrl',
    'oidc.identify',
  ],
  'users do it when they sign in or register in a browser': [
    'sessions.signIn',
    'sessions.enter',
    'sessions.finish',
    'sessions.open',
    'sessions.authenticate',
    'sessions.authenticateToken',
    'sessions.visitor',
    'sessions.signOut',
    'humanCheck.require',
    'registration.sendCode',
    'registration.register',
    'passwordReset.request',
    'passwordReset.complete',
    'outsideSignIn.begin',
    'outsideSignIn.authorizationUrl',
    'outsideSignIn.finish',
    'outsideSignIn.weChatSignIn',
    'outsideSignIn.bindWeChat',
    'outsideSignIn.telegramSignIn',
    'outsideSignIn.bindTelegram',
    'freshSessions.status',
    'freshSessions.confirm',
    'setup.isDone',
    'setup.state',
    'setup.steps',
    'setup.run',
  ],
  'it is about the own account of who is signed in; commands are about any account': [
    'logs.listOwn',
    'logs.searchOwn',
    'logs.statOwn',
    'logs.exportOwnCsv',
    'logs.listByKey',
    'usageData.listOwn',
    'usageReport.readOwn',
    'drawings.listOwn',
    'tasks.listOwn',
    'self.get',
    'self.update',
    'self.remove',
    'self.createAccessToken',
    'self.invitationCode',
    'self.bindEmail',
    'self.changeSetting',
    'sessions.list',
    'sessions.end',
    'sessions.endOthers',
    'twoFactors.status',
    'twoFactors.setUp',
    'twoFactors.enable',
    'twoFactors.disable',
    'twoFactors.renewCodes',
    'limits.listOwn',
    'redemptions.redeem',
    'wallet.quote',
    'wallet.pay',
    'wallet.transferReward',
    'topUps.info',
    'topUps.listOwn',
    'userGroups.usableTo',
    'models.enabled',
    'models.openTo',
    'priceList.read',
  ],
  'it is a page of the console about one user; commands list tokens, orders, codes and changes of all users': [
    'userInspection.summary',
    'userInspection.listTokens',
    'userInspection.getToken',
    'userInspection.listCredit',
    'userInspection.listSessions',
    'userInspection.endSession',
    'userInspection.endSessions',
  ],
  'it is a form of the console; a command does the same by another method': [
    // usage show, channel list, log list
    'overview.read',
    'overview.readOwn',
    // channel get, user get, log list with their filters
    'overview.readChannel',
    'overview.readModel',
    'overview.readUser',
    'overview.readToken',
    // channel list, user list, token list, model list and log list with --search or --request-id
    'search.find',
    'priceSettings.completionRatios',
    // pricing sync: it has read the list once for both
    'priceSync.preview',
    'priceSync.applySeen',
    // pricing rehearse
    'priceSync.rehearse',
    // option list and option get
    'options.entries',
    'options.details',
    // user get, channel get: by id or by name
    // log list
    'logs.search',
    'logs.exportCsv',
    // usage show
    'usageData.list',
    'usageData.listUsers',
    'usageReport.readShared',
    // a file that a task made; a client reads it from the relay
    'tasks.file',
    // task list, drawing list: with more to search by
    'drawings.list',
    'tasks.list',
    // group list
    'groups.list',
    // token show-key, channel export
    'tokens.revealMany',
    'channels.revealKey',
    // token remove, channel remove --disabled
    'channels.removeDisabled',
    // channel models, init --type
    'channelModels.ofInput',
    'models.presets',
    'models.known',
    // saved settings are tried with the button beside them
    'mailTest.send',
  ],
};

const folder = new URL('../../../cli', import.meta.url).pathname;

/** All commands, without the screens: those have keys, not verbs. */
function commandSource(): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('tui/'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

describe('what the services can do', () => {
  let home: CliHome;
  let app: App;
  beforeAll(async () => {
    home = createCliHome();
    app = await createApp({ ...loadConfig({}, home.env), logLevel: 'silent' });
  });
  afterAll(async () => {
    await app.close();
    home.remove();
  });

  it('has a command, or a reason why it has none', () => {
    const source = commandSource();
    const methods = Object.entries(app.services).flatMap(([service, object]) =>
      Object.entries(object)
        .filter(([, value]) => typeof value === 'function')
        .map(([method]) => `${service}.${method}`),
    );
    expect(methods.length).toBeGreaterThan(150);
    const isCalled = (method: string) => new RegExp(`\\b${method.replace('.', '\\??\\.')}\\b`).test(source);
    const excused = Object.values(withoutCommand).flat();
    expect({
      unexplained: methods.filter((method) => !isCalled(method) && !excused.includes(method)),
      // Reasons for what has a command by now, or is gone.
      outdated: excused.filter((method) => isCalled(method) || !methods.includes(method)),
      twice: excused.filter((method, at) => excused.indexOf(method) !== at),
    }).toEqual({ unexplained: [], outdated: [], twice: [] });
  });
});
