// A shared dashboard: its charts for visitors, without the records behind them.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { DashboardItem } from '@rowhouse/contract/dashboard.ts';
import { authDashboardShare, getSharedChartData, getSharedDashboard } from '@rowhouse/contract/dashboard-share.ts';
import { keepPreviousData, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Table2 } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { queryClient } from '../app/query-client.ts';
import { ChartView, drawingOf, Waiting } from '../dashboard/chart-view.tsx';
import { DashboardGrid } from '../dashboard/dashboard-grid.tsx';
import type { ShownChart } from '../dashboard/drawing-of.ts';
import { ItemFrame } from '../dashboard/item-frame.tsx';
import { MarkdownView } from '../field-type/long-text/markdown-view.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { ask } from './ask.ts';
import { PasswordForm } from './password-form.tsx';
import { GoneNote, goneWords } from './share-page.tsx';

/** Visitors have no stream: what has not changed is answered from memory. */
const askAgainAfter = 5_000;
const noNames: string[] = [];
const noLook = {};

const Item = ({ shareId, item, grip }: { shareId: string; item: DashboardItem; grip: ReactNode }) => {
  const { name, chart, type, look = noLook } = item;
  const [asTable, setAsTable] = useState(false);
  const isText = chart?.type === 'text';
  const { data, error } = useQuery({
    queryKey: ['shared-chart', shareId, item.id, item.version],
    queryFn: ({ signal }) => ask(getSharedChartData, { params: { shareId, itemId: item.id }, signal }),
    enabled: !isText,
    refetchInterval: askAgainAfter,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const shown = useMemo<ShownChart>(() => ({ name, type: type ?? 'bar', look }), [name, type, look]);
  const drawing = useMemo(() => (data === undefined ? undefined : drawingOf(shown, data)), [shown, data]);
  const body = () => {
    if (isText) return <MarkdownView text={chart.text} names={noNames} />;
    if (data !== undefined)
      return <ChartView shown={shown} data={data} asTable={asTable} onPick={undefined} onOpen={undefined} />;
    return error === null ? <Waiting /> : <ProblemNote error={error} />;
  };
  return (
    <ItemFrame
      name={name}
      description={undefined}
      isText={isText}
      grip={grip}
      actions={
        drawing !== undefined && (
          <IconButton
            label={asTable ? `Show ${name} as a chart` : `Show ${name} as a table`}
            active={asTable}
            aria-pressed={asTable}
            className="size-7"
            onClick={() => setAsTable(!asTable)}
          >
            <Table2 size={15} />
          </IconButton>
        )
      }
    >
      {body()}
    </ItemFrame>
  );
};

const Shared = ({ shareId }: { shareId: string }) => {
  const { data, error, refetch } = useQuery({
    queryKey: ['shared-dashboard', shareId],
    queryFn: ({ signal }) => ask(getSharedDashboard, { params: { shareId }, signal }),
    refetchInterval: askAgainAfter,
    retry: false,
  });
  const name = data?.name;
  useEffect(() => {
    if (name !== undefined) document.title = name;
  }, [name]);
  // A share that is over, or has a password by now, is not left standing.
  if (error !== null && error instanceof ApiError)
    return error.code === 'unauthorized_share' ? (
      <PasswordForm
        onPassword={(password) => ask(authDashboardShare, { params: { shareId }, body: { password } })}
        onOpen={() => void refetch()}
      />
    ) : (
      <GoneNote>{goneWords(error)}</GoneNote>
    );
  if (data === undefined)
    return (
      <p role="status" className="mt-[18vh] text-center text-ink-faint">
        Loading…
      </p>
    );
  const { items } = data;
  return (
    <main className="min-h-dvh bg-canvas px-4 py-5 sm:px-8">
      <div className="mx-auto w-full max-w-[1600px]">
        <h1 className="mb-5 text-[22px] font-semibold tracking-tight break-words">{data.name}</h1>
        {items.length === 0 && <p className="text-ink-soft">This dashboard is empty.</p>}
        <DashboardGrid
          items={items}
          nameOf={(id) => items.find((item) => item.id === id)?.name ?? ''}
          isFluid={(id) => items.find((item) => item.id === id)?.type === 'text'}
          onPlace={undefined}
        >
          {(id, grip) => {
            const item = items.find((one) => one.id === id);
            return item === undefined ? null : <Item shareId={shareId} item={item} grip={grip} />;
          }}
        </DashboardGrid>
      </div>
    </main>
  );
};

export const SharedDashboard = ({ shareId }: { shareId: string }) => (
  <QueryClientProvider client={queryClient}>
    <Shared shareId={shareId} />
  </QueryClientProvider>
);
