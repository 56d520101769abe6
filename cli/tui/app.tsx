import { Box, useApp, useIsScreenReaderEnabled } from 'ink';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Header, Tabs } from './components/header.tsx';
import { KeyHelp } from './components/key-help.tsx';
import { Line } from './components/line.tsx';
import { ScreenChooser } from './components/screen-chooser.tsx';
import { type Environment, EnvironmentProvider, useEnvironment } from './environment.ts';
import { cut } from './fit.ts';
import type { Hint } from './hint.ts';
import { KeyProvider, keyLayer, onKeys, useKeys } from './hooks/use-keys.tsx';
import { type Navigation, NavigationProvider } from './hooks/use-navigation.tsx';
import { BodySizeProvider, useTerminalSize } from './hooks/use-size.ts';
import { StatusProvider, useStatus, useStatusView } from './hooks/use-status.tsx';
import { VisibleProvider } from './hooks/use-visible.ts';
import { type ScreenEntry, screens } from './screens/registry.ts';

/**
 * The terminal UI. A screen is a component without properties in `screens/<noun>.tsx` a line in `screens/registry.ts` and its name in `screen-name.ts`:
 *
 * - `useEnvironment()` has the services, `speak` and the symbols; `useTone()` colors.
 * - A list is one `<ListScreen>`: it brings cursor, marks, pages, filter, sort and states; the screen gives columns, `load` and actions.
 * - `useNavigation().push(<Pane/>)` lays details (`<Details>`) or a form (`<Form>`) over it; Esc or `pop()` goes back.
 * - `useStatus()` says what was done (`act`), asks (`ask`, `askWord`), offers `u` (`offerUndo`) and runs long work (`work`).
 * - Keys come from `useKeys(onKeys({ … }), { layer })` alone; data from `useLoad` alone; texts from `cli/text/tui*.ts`.
 *
 * `screens/channel.tsx` has all of it.
 */
export function TerminalApp({ environment, first }: { environment: Environment; first: string }) {
  return (
    <EnvironmentProvider value={environment}>
      <KeyProvider>
        <StatusProvider>
          <Shell first={first} />
        </StatusProvider>
      </KeyProvider>
    </EnvironmentProvider>
  );
}

const min = { width: 60, height: 16 };
/** Header and tabs. */
const headLines = 2;

interface Pane {
  id: number;
  node: ReactNode;
}

function Shell({ first }: { first: string }) {
  const { speak, symbols, redraw } = useEnvironment();
  const { width, height } = useTerminalSize();
  const isRead = useIsScreenReaderEnabled();
  const quit = useQuit();
  const [open, setOpen] = useState(first);
  const [panes, setPanes] = useState<Pane[]>([]);
  const [isChoosing, setChoosing] = useState(false);
  const serial = useRef(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another size leaves pieces of the old screen.
  useEffect(redraw, [width, height]);

  const navigation = useMemo((): Navigation => {
    const push = (node: ReactNode) => {
      serial.current += 1;
      const pane = { id: serial.current, node };
      setPanes((former) => [...former, pane]);
    };
    const pop = () => setPanes((former) => former.slice(0, -1));
    return { push, pop, quit, showKeys: (hints: Hint[]) => push(<KeyHelp hints={hints} />) };
  }, [quit]);

  const show = (screen: ScreenEntry) => {
    setOpen(screen.id);
    setPanes([]);
  };
  const byDigit = Object.fromEntries(screens.map((screen) => [screen.digit, () => show(screen)]));
  useKeys(
    onKeys({
      ...byDigit,
      ':': () => setChoosing(true),
      'ctrl-l': redraw,
      q: quit,
      'ctrl-c': quit,
      escape: panes.length > 0 ? navigation.pop : undefined,
    }),
    { layer: keyLayer.global },
  );

  const isRoomy = width >= min.width && height >= min.height;
  const Screen = screens.find(({ id }) => id === open)?.Screen;
  const layers = [{ id: 0, node: Screen && <Screen key={open} /> }, ...panes];
  return (
    <NavigationProvider value={navigation}>
      {/* One line less than the terminal has: a full one may scroll. */}
      <Box flexDirection="column" width={width} {...(isRead ? {} : { height: isRoomy ? height - 1 : 1 })}>
        {!isRoomy && (
          <Line text={cut(speak('tui.tooSmall', { ...min, now: `${width}x${height}` }), width, symbols.ellipsis)} />
        )}
        <Box flexDirection="column" display={isRoomy ? 'flex' : 'none'}>
          <Header width={width} />
          {isChoosing ? (
            <ScreenChooser screens={screens} onClose={() => setChoosing(false)} onChoose={show} />
          ) : (
            <Tabs screens={screens} open={open} width={width} />
          )}
          <BodySizeProvider value={{ width, height: Math.max(height, min.height) - 1 - headLines }}>
            {layers.map(({ id, node }, index) => (
              <VisibleProvider key={id} value={isRoomy && index === layers.length - 1}>
                <Box flexDirection="column" display={index === layers.length - 1 ? 'flex' : 'none'}>
                  {node}
                </Box>
              </VisibleProvider>
            ))}
          </BodySizeProvider>
        </Box>
      </Box>
    </NavigationProvider>
  );
}

/** Leaves, but not over the head of long work. */
function useQuit(): () => void {
  const { exit } = useApp();
  const { speak } = useEnvironment();
  const { progress } = useStatusView();
  const { ask, stopWork } = useStatus();
  const latest = useRef(progress);
  latest.current = progress;
  return useMemo(
    () => async () => {
      if (latest.current && !(await ask(speak('tui.askQuit', { work: latest.current.label })))) return;
      stopWork();
      exit();
    },
    [ask, exit, speak, stopWork],
  );
}
