import { type RefObject, useEffect, useRef } from 'react';
import { useStatus } from '../../api/status.ts';

interface Turnstile {
  render(place: HTMLElement, options: Record<string, unknown>): string;
  reset(id: string): void;
  remove(id: string): void;
}

declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

export interface HumanCheck {
  /** Where the widget lives. */
  place: RefObject<HTMLDivElement | null>;
  /** The token for one call: empty where no check is asked for, undefined while it is still running. */
  take(): string | undefined;
}

const script = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

/** The human check of the installation, where it has one (accounts spec, section 2). */
export function useHumanCheck(): HumanCheck {
  const { turnstile_check: isOn, turnstile_site_key: siteKey } = useStatus();
  const place = useRef<HTMLDivElement>(null);
  const token = useRef<string>(undefined);
  const widget = useRef<string>(undefined);

  useEffect(() => {
    if (!isOn || !siteKey) return;
    let isGone = false;
    loadScript(script).then(
      () => {
        if (isGone || !place.current) return;
        const keep = (value?: string) => {
          token.current = value;
        };
        const options = {
          sitekey: siteKey,
          callback: keep,
          'expired-callback': () => keep(),
          appearance: 'interaction-only',
        };
        widget.current = window.turnstile?.render(place.current, options);
      },
      () => {}, // without its script the check never ends, and the form says that it still runs
    );
    return () => {
      isGone = true;
      if (widget.current) window.turnstile?.remove(widget.current);
      widget.current = undefined;
    };
  }, [isOn, siteKey]);

  return {
    place,
    take() {
      if (!isOn) return '';
      const taken = token.current;
      // Each token is good for one call.
      token.current = undefined;
      if (widget.current) window.turnstile?.reset(widget.current);
      return taken;
    },
  };
}

const loading = new Map<string, Promise<void>>();

function loadScript(address: string): Promise<void> {
  const known = loading.get(address);
  if (known) return known;
  const loaded = new Promise<void>((resolve, reject) => {
    const element = document.createElement('script');
    element.src = address;
    element.async = true;
    element.onload = () => resolve();
    element.onerror = () => reject(new Error(address));
    document.head.append(element);
  });
  loading.set(address, loaded);
  return loaded;
}
