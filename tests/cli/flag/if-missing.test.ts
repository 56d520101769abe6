import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliHome, createCliHome } from '../../support/run-cli.ts';

describe('--if-missing', () => {
  let home: CliHome;
  beforeAll(() => {
    home = createCliHome();
  });
  afterAll(() => home.remove());

  it('makes a thing once, and says the second time that it is there', async () => {
    const channel = 'channel create --type openai --name main --models gpt-4o --key-stdin --if-missing';
    const creations: [words: string, stdin: string][] = [
      [channel, 'upstream-key'],
      ['user create --name alice --password-stdin --if-missing', 'long enough 1'],
      ['token create --name ci --user alice --if-missing', ''],
    ];
    for (const [words, stdin] of creations) {
      const [noun = ''] = words.split(' ');
      expect(await home.run(words, { stdin })).toMatchObject({ code: 0, stdout: expect.stringMatching(/\S/) });
      const list = (await home.run(`${noun} list --json`)).stdout;
      // Nothing is asked for what will not be made: neither key nor password is there any more.
      const second = await home.run(words.replace(/ --(key|password)-stdin/, ''));
      expect(second).toMatchObject({ code: 0, stdout: '' });
      expect(second.stderr).toContain('already exists and was not changed');
      expect((await home.run(`${noun} list --json`)).stdout).toBe(list);
    }
  });

  it('prints the thing that is there with --json, keys masked', async () => {
    const token = (await home.run('token create --name ci --user alice --if-missing --json')).json<{ key: string }>();
    expect(token).toMatchObject({ name: 'ci', key: expect.stringMatching(/^sk-..….{4}$/) });
    const user = await home.run('user create --name alice --if-missing --json');
    expect(user.json()).toMatchObject({ username: 'alice' });
  });

  it('counts several of one name as there, and refuses a number for a name', async () => {
    await home.run('channel create --type openai --name twin --models m --key-stdin', { stdin: 'a\nb' });
    const twin = await home.run('channel create --type openai --name twin --models m --if-missing');
    expect(twin).toMatchObject({ code: 0, stdout: expect.stringContaining('twin already exists') });
    const number = await home.run('channel create --type openai --name 12 --models m --if-missing');
    expect(number).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('numbers are IDs') });
  });

  it('does not take the token of another user for this one', async () => {
    const run = await home.run('token create --name ci --user root --if-missing --json');
    expect(run.json()).toMatchObject({ name: 'ci', user_id: 1, key: expect.stringMatching(/^sk-\w{48}$/) });
  });
});
