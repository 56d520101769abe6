import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { type Token, tokenStatus } from '../../../../core/schemas/token.ts';
import { api } from '../../api/client.ts';
import { usePublicAddress, useStatus, useStatusState } from '../../api/status.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { chatLinks, filledChatLink } from '../../state/chat-link.ts';

interface ChatAddress {
  name: string;
  /** Undefined while tokens or links are on their way, and when there is none. */
  address: string | undefined;
  error: Error | null;
  /** In words, when the operator has to do something first. */
  fault: string | undefined;
  refresh(): void;
}

/** Tokens the helper looks through (operations spec, section 9). */
const maxTokens = 100;
const redirectMs = 1500;

/** A configured chat program, opened with a token that works. */
export function useChatAddress(index: number): ChatAddress {
  const { t } = useTranslation('chat');
  const status = useStatus();
  const publicAddress = usePublicAddress();
  const { isCurrent } = useStatusState();
  const { data, error, refetch } = useQuery({
    queryKey: ['token', 'chat'],
    queryFn: ({ signal }) => api.get<Token[]>('/api/token/', { query: { p: 0, size: maxTokens }, signal }),
  });
  const token = data && bestToken(data);
  const links = chatLinks(status);
  const link = links?.[index];
  useNoToken(data !== undefined && !token && link !== undefined);
  const address = link && token && filledChatLink(link.template, token.key, publicAddress);
  const isBroken = link !== undefined && token !== undefined && address === undefined;
  function faultOf(): string | undefined {
    if (!links) return t('unreadable');
    if (links.length === 0) return t('unset');
    return !link || isBroken ? t('broken') : undefined;
  }
  return {
    name: link?.name || t('title'),
    address,
    error,
    fault: isCurrent ? faultOf() : undefined,
    refresh: () => void refetch(),
  };
}

/** One that serves every model from every address, if there is one. An expired or used up token is not enabled. */
function bestToken(tokens: Token[]): Token | undefined {
  const enabled = tokens.filter(({ status }) => status === tokenStatus.enabled);
  const isOpen = ({ model_limits_enabled, allow_ips }: Token) => !model_limits_enabled && allow_ips === '';
  return enabled.find(isOpen) ?? enabled[0];
}

/** Says so, and leads to where a token can be made or enabled. */
function useNoToken(isMissing: boolean): void {
  const { t } = useTranslation('chat');
  const notify = useNotify();
  const navigate = useNavigate();
  useEffect(() => {
    if (!isMissing) return;
    notify.warning(t('noToken'));
    const timer = setTimeout(() => void navigate('/token'), redirectMs);
    return () => clearTimeout(timer);
  }, [isMissing, notify, navigate, t]);
}
