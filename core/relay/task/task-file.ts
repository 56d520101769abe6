import type { TaskFile } from '../../services/task/task.ts';
import type { FileKind } from '../../wire/task-kind.ts';
import type { ClientWriter } from '../deliver/client-writer.ts';
import type { RelayDependencies } from '../run.ts';
import type { MadeFile, MadeFiles } from './made-file.ts';
import type { createVideoFiles } from './video-file.ts';

interface TaskFileDependencies extends Pick<RelayDependencies, 'routing' | 'limits'> {
  files: MadeFiles;
  videos: Pick<ReturnType<typeof createVideoFiles>, 'show'>;
}

export type TaskFiles = ReturnType<typeof createTaskFiles>;

const mebibyte = 1024 * 1024;

const rules: Record<FileKind, Pick<MadeFile, 'types' | 'defaultType' | 'maxBytes' | 'cacheSeconds'>> = {
  picture: {
    types: /^image\/(png|jpeg|gif|webp|avif)\b/,
    defaultType: 'image/jpeg',
    maxBytes: 64 * mebibyte,
    cacheSeconds: 3600,
  },
  // A song is there to be listened to before it is whole.
  audio: {
    types: /^(audio\/|application\/octet-stream)/,
    defaultType: 'audio/mpeg',
    maxBytes: 256 * mebibyte,
    cacheSeconds: 0,
  },
  video: {
    types: /^(video\/|application\/octet-stream)/,
    defaultType: 'video/mp4',
    maxBytes: 1024 * mebibyte,
    cacheSeconds: 0,
  },
};

/** Files of tasks, wherever they lie. Throws `task.*` while nothing has been sent. */
export function createTaskFiles({ routing, limits: { proxy }, files, videos }: TaskFileDependencies) {
  /**
   * At the channel's own origin it is reached as the channel is, so that a vendor in a private network can show its files. Any other
   * address came from outside, and is judged like one that a client names.
   */
  function reach(url: string, channelId: number): Pick<MadeFile, 'profile' | 'proxy'> {
    const channel = routing.channel(channelId)?.channel;
    if (!channel || !isSameOrigin(url, channel.base_url)) return { profile: 'user' };
    return {
      profile: channel.privateAllowed ? 'operatorPrivate' : 'operator',
      proxy: channel.setting.proxy || proxy,
    };
  }

  const showAt = (url: string, channelId: number, kind: FileKind, client: ClientWriter, range?: string) =>
    files.show({ url, headers: {}, ...reach(url, channelId), ...rules[kind], range }, client);

  return {
    /** A file of a finished task. */
    show: ({ task, kind, source }: TaskFile, client: ClientWriter, range?: string): Promise<void> =>
      'variant' in source
        ? videos.show(task, source.variant, client, range)
        : showAt(source.url, task.channelId, kind, client, range),
    showPicture: ({ url, channelId }: { url: string; channelId: number }, client: ClientWriter): Promise<void> =>
      showAt(url, channelId, 'picture', client),
  };
}

function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}
