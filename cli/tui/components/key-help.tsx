import { useEnvironment } from '../environment.ts';
import { pad, widthOf, wrap } from '../fit.ts';
import type { Hint } from '../hint.ts';
import { keyLayer, onKeys, useKeys } from '../hooks/use-keys.tsx';
import { useNavigation } from '../hooks/use-navigation.tsx';
import { useBodySize } from '../hooks/use-size.ts';
import { screenTabs } from '../screen-name.ts';
import { Lines } from './lines.tsx';

/** Every key of the screen below, then those that work everywhere, with the screens that a narrow tab line does not name. */
export function KeyHelp({ hints }: { hints: Hint[] }) {
  const { speak } = useEnvironment();
  const { width } = useBodySize();
  const { pop } = useNavigation();
  useKeys(onKeys({ '?': pop }), { layer: keyLayer.pane });
  const everywhere: Hint[] = [
    { key: '0-9, :', label: speak('tui.keyScreen') },
    { key: 'Esc', label: speak('tui.keyBack') },
    { key: 'u', label: speak('tui.keyUndo') },
    { key: 'Ctrl-L', label: speak('tui.keyRedraw') },
    { key: 'q, Ctrl-C', label: speak('tui.keyQuit') },
    ...screenTabs.map(({ digit, title }) => ({ key: digit, label: speak(title) })),
  ];
  const all = [...hints, ...everywhere];
  const room = Math.max(...all.map(({ key }) => widthOf(key)));
  const lines = all.flatMap(({ key, label, more = '' }) =>
    wrap([label, more].filter(Boolean).join('  '), width - room - 3).map(
      (part, index) => ` ${pad(index === 0 ? key : '', room)}  ${part}`,
    ),
  );
  return <Lines title={speak('tui.keysTitle')} lines={lines} />;
}
