import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRanges } from '../support/ranged-file.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { json } from '../support/upstream-script.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { pictureBytes, toneBytes, videoBytes } from './support/media-bytes.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

const words = '[Verse]\nRain on the roof\n[Chorus]\nAnd it never ends';

describe('paid jobs in the console', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    browser = await openConsoleBrowser(gateway.url);
    await gateway.addChannel({ type: 36, name: 'songs', models: 'suno_music,suno_lyrics', key: 'suno-key' });
    await gateway.addChannel({ name: 'sora', models: 'sora-2', key: 'sora-key' });
    await gateway.addChannel({ type: 2, name: 'drawings', models: 'mj_imagine', key: 'mj-secret' });
    const { page, open, close } = await browser.visit();
    await open('/login');
    gateway.upstream.route('/song.wav', inRanges('audio/wav', toneBytes(3)));
    gateway.upstream.route('/other.wav', inRanges('audio/wav', toneBytes(2)));
    gateway.upstream.route('/cover.png', inRanges('image/png', await pictureBytes(page, 'teal')));
    gateway.upstream.route('/fox.png', inRanges('image/png', await pictureBytes(page, 'firebrick')));
    gateway.upstream.route('/v1/videos/video_1/content', inRanges('video/webm', await videoBytes(page)));
    await close();
  });
  afterAll(async () => {
    await gateway?.verifyBooks();
    await browser?.close();
    await gateway?.stop();
  });

  /** As the job does, once all that is under way is due. */
  async function poll(): Promise<void> {
    await gateway.app.database.sequelize.query('UPDATE tasks SET next_poll_at = 0');
    await gateway.app.services.taskProgress.poll();
  }

  async function submitSong(taskId: string, body: object = { prompt: words, title: 'Rain' }, action = 'music') {
    gateway.upstream.route(`/suno/submit/${action.toUpperCase()}`, json(200, suno(taskId)));
    const response = await gateway.call(`/suno/submit/${action}`, body);
    expect(response.status).toBe(200);
  }
  const suno = (data: unknown) => ({ code: 'success', message: '', data });
  const reportSong = (task: object) => gateway.upstream.route('/suno/fetch', json(200, suno([task])));
  const clip = (title: string, file: string) => ({
    id: title,
    status: 'complete',
    title,
    audio_url: `${gateway.upstream.url}/${file}`,
    video_url: '',
    image_url: `${gateway.upstream.url}/cover.png`,
    metadata: { tags: 'pop, rain', prompt: words },
  });

  /** A player that has read its file knows how long it is; one second on, it has played. */
  async function play(page: Page, selector: string): Promise<number> {
    await page.waitForFunction((name) => (document.querySelector(name) as HTMLMediaElement)?.readyState >= 2, selector);
    return page.evaluate(async (name) => {
      const player = document.querySelector(name) as HTMLMediaElement;
      player.muted = true;
      await player.play();
      await new Promise<void>((resolve) => {
        player.ontimeupdate = () => player.currentTime > 0.2 && resolve();
      });
      player.pause();
      return player.duration;
    }, selector);
  }

  it('a song goes on by itself, and is heard, with its cover and its words, when it is done', async () => {
    await submitSong('song-1');
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/task');
    const row = page.getByRole('row').filter({ hasText: 'song-1' });
    await row.getByRole('gridcell', { name: 'Not started', exact: true }).waitFor();
    await row.getByText(/^\d+ s$/).waitFor();
    await page.getByRole('button', { name: 'Details of “song-1”' }).click();
    const dialog = page.getByRole('dialog', { name: 'Task song-1' });
    await dialog.getByText('updates automatically').waitFor();

    const task = { task_id: 'song-1', action: 'MUSIC', fail_reason: '' };
    reportSong({ ...task, status: 'IN_PROGRESS', progress: '40%', data: [] });
    await poll();
    // The page is idle.
    await dialog.getByRole('progressbar', { name: 'Progress 40%' }).waitFor();
    reportSong({ ...task, status: 'SUCCESS', data: [clip('Rain', 'song.wav'), clip('Rain, again', 'other.wav')] });
    await poll();
    await dialog.locator('audio').nth(1).waitFor();
    expect(await play(page, 'audio[aria-label="Play “Rain”"]')).toBeCloseTo(3, 1);
    expect(await play(page, 'audio[aria-label="Play “Rain, again”"]')).toBeCloseTo(2, 1);
    await dialog.getByRole('img', { name: 'Cover of “Rain”', exact: true }).waitFor();
    expect(await dialog.getByRole('region', { name: 'Lyrics of “Rain”', exact: true }).textContent()).toBe(words);
    await dialog.getByText('$0.10').waitFor();
    await inspect('job-song');
    await dialog.getByRole('link', { name: 'View the receipt' }).click();
    // The one request, opened.
    await page.getByRole('region', { name: /^Receipt/ }).waitFor();
    expect(await page.getByRole('gridcell', { name: 'suno_music', exact: true }).count()).toBe(1);
    expectNoProblems();
    await close();
  });

  it('a video is seen by its owner and by admins', async () => {
    const video = { id: 'video_1', object: 'video', model: 'sora-2', status: 'queued', progress: 0, error: null };
    gateway.upstream.route('/v1/videos', json(200, video));
    const body = { model: 'sora-2', prompt: 'a cat on a roof', seconds: '8', size: '1280x720' };
    expect((await gateway.call('/v1/videos', body)).status).toBe(200);
    gateway.upstream.route('/v1/videos/video_1', json(200, { ...video, status: 'completed', progress: 100 }));
    await poll();
    for (const as of ['alice', 'root']) {
      const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as, language: 'en' });
      await open('/task?platform=video');
      await page.getByRole('button', { name: 'Watch video_1' }).click();
      const dialog = page.getByRole('dialog', { name: 'Task video_1' });
      await play(page, 'video');
      expect(await dialog.locator('video').evaluate((player: HTMLVideoElement) => player.videoWidth)).toBe(320);
      for (const text of ['a cat on a roof', '8 s', '1280x720', 'sora-2'])
        await dialog.getByText(text, { exact: true }).waitFor();
      await dialog.getByText(/^\$0\.80/).waitFor();
      expect(await dialog.getByText('alice', { exact: true }).count()).toBe(as === 'root' ? 1 : 0);
      await inspect(`job-video-${as}`);
      expectNoProblems();
      await close();
    }
  });

  it('a failed job says why in full, and what came back', async () => {
    await submitSong('song-2');
    const reason = `moderation: ${'the words of this song are not allowed here. '.repeat(5)}`.trim();
    reportSong({ task_id: 'song-2', action: 'MUSIC', status: 'FAILURE', fail_reason: reason, data: [] });
    await poll();
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/task?status=FAILURE');
    const row = page.getByRole('row').filter({ hasText: 'song-2' });
    await row.getByText('Refunded').waitFor();
    await page.getByRole('button', { name: 'Details of “song-2”' }).click();
    const dialog = page.getByRole('dialog', { name: 'Task song-2' });
    await dialog.getByText(reason).waitFor();
    await dialog.getByText(/^\$0\.10 on \d\d \w+ \d{4}/).waitFor();
    expect(await dialog.locator('audio').count()).toBe(0);
    await inspect('job-failed');
    expectNoProblems();
    await close();
  });

  it('a video under way is canceled by its owner, and paid back', async () => {
    const video = { id: 'video_2', object: 'video', model: 'sora-2', status: 'in_progress', progress: 10, error: null };
    gateway.upstream.route('/v1/videos', json(200, video));
    expect((await gateway.call('/v1/videos', { model: 'sora-2', prompt: 'a long film' })).status).toBe(200);
    gateway.upstream.route('/v1/videos/video_2', ({ method }) =>
      json(200, method === 'DELETE' ? { id: 'video_2', object: 'video.deleted', deleted: true } : video),
    );
    const before = await gateway.quotaOf(gateway.userId);
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/task?platform=video');
    await page.getByRole('button', { name: 'Details of “video_2”' }).click();
    const dialog = page.getByRole('dialog', { name: 'Task video_2' });
    await dialog.getByRole('button', { name: 'Cancel task' }).click();
    const question = page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .filter({ hasText: 'Cancel task video_2?' });
    await question.getByRole('button', { name: 'Cancel task' }).waitFor();
    await inspect('job-cancel');
    await question.getByRole('button', { name: 'Cancel task' }).click();
    await page.getByText('Task canceled, $0.40 refunded').waitFor();
    await dialog.getByText(/^\$0\.40 on /).waitFor();
    expect(await dialog.getByRole('button', { name: 'Cancel task' }).count()).toBe(0);
    expect(await gateway.quotaOf(gateway.userId)).toBe(before + 200_000);
    expectNoProblems();
    await close();
  });

  it('lyrics are read', async () => {
    await submitSong('lyrics-1', { prompt: 'about rain' }, 'lyrics');
    const data = { id: 'l', status: 'complete', title: 'Roof', text: words };
    reportSong({ task_id: 'lyrics-1', action: 'LYRICS', status: 'SUCCESS', fail_reason: '', data });
    await poll();
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/task?action=LYRICS');
    await page.getByRole('button', { name: 'Read lyrics-1' }).click();
    expect(await page.getByRole('region', { name: 'Lyrics of “Roof”' }).textContent()).toBe(words);
    expectNoProblems();
    await close();
  });

  it('a drawing is shown under a signed link, and one that has ended says so', async () => {
    gateway.upstream.route(
      '/mj/submit/imagine',
      json(200, { code: 1, description: 'ok', result: '170001', properties: {} }),
    );
    const asked = { prompt: 'a red fox' };
    expect((await gateway.call('/mj/submit/imagine', asked)).status).toBe(200);
    const drawing = {
      id: '170001',
      action: 'IMAGINE',
      status: 'SUCCESS',
      progress: '100%',
      prompt: 'a red fox',
      failReason: null,
      submitTime: Date.now() - 60_000,
      startTime: Date.now() - 50_000,
      finishTime: Date.now() - 10_000,
      imageUrl: `${gateway.upstream.url}/fox.png`,
      properties: { finalPrompt: 'a red fox --ar 1:1' },
      buttons: [],
    };
    gateway.upstream.route('/mj/task/list-by-condition', json(200, [drawing]));
    await poll();
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/midjourney');
    await page.getByRole('button', { name: 'View image 170001' }).click();
    const dialog = page.getByRole('dialog', { name: 'Drawing 170001' });
    const picture = dialog.getByRole('img', { name: 'a red fox' });
    await picture.waitFor();
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(512);
    await dialog.getByText('a red fox --ar 1:1').waitFor();
    await inspect('job-drawing');
    expectNoProblems();
    await close();

    // A link that this server did not sign.
    const expected = /^(answer: \/mj\/image\/170001 400)$/;
    const late = await browser.visit({ as: 'alice', language: 'en', expected });
    await late.page.route('**/api/mj/self**', async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replace(/expires=\d+/, 'expires=1');
      await route.fulfill({ response: response, body: text });
    });
    await late.open('/midjourney');
    await late.page.getByRole('button', { name: 'View image 170001' }).click();
    await late.page.getByRole('dialog').getByText('The link may have expired').waitFor();
    late.expectNoProblems();
    await late.close();
  });

  it('users see their own jobs and no channel, admins those of all with their owner', async () => {
    await gateway.addUser('mallory', 0);
    const stranger = await browser.visit({ as: 'mallory', language: 'en' });
    for (const path of ['/task', '/midjourney']) {
      await stranger.open(path);
      await stranger.page.getByText('appear here when they are submitted').waitFor();
    }
    stranger.expectNoProblems();
    await stranger.close();
    const admin = await browser.visit({ as: 'root', language: 'en' });
    await admin.open('/task?platform=suno&status=SUCCESS&username=alice');
    const row = admin.page.getByRole('row').filter({ hasText: 'song-1' });
    const owner = row.getByRole('link', { name: 'alice', exact: true });
    expect(await owner.getAttribute('href')).toMatch(/^\/user\/\d+$/);
    await row.getByRole('link', { name: /^#\d+$/ }).waitFor();
    expect(await admin.page.getByText('video_1').count()).toBe(0);
    admin.expectNoProblems();
    await admin.close();
  });

  it.each(['midjourney', 'task'])('look right in every look, filled, and are accessible: /%s', async (name) => {
    const visit = await browser.visit({ as: 'root' });
    await visit.inspectAll(`/${name}`, `job-${name}`);
    await visit.inspectAll(`/${name}`, `job-${name}-details`, async (page, { width }) => {
      if (width < 600)
        await page
          .getByRole('button', { name: /^(查看图片|View image|收听|Listen)/ })
          .first()
          .click();
      else
        await page
          .getByRole('button', { name: /(的详情$|^Details of|^View image|^查看图片)/ })
          .first()
          .click();
      await page.getByRole('dialog').waitFor();
      const sides = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      expect(sides[0]).toBeLessThanOrEqual(sides[1] ?? 0);
    });
    await visit.close();
  });
});
