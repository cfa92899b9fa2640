import type { Answers } from '@trackside/contract/stats/answers.ts';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Note } from '#api/shapes.ts';
import { useFormat } from '#format/format-context.tsx';
import { useLocale } from '#words/words-context.ts';
import { useAnalytics } from '../analytics-context.ts';
import { intervalOf } from '../view/intervals.ts';
import { metricsOf } from '../view/view.ts';
import { Chart } from './chart/chart.tsx';
import { ChartSkeleton } from './chart/chart-skeleton.tsx';
import type { Wording } from './chart/describe-point.ts';
import { groupNotes, type NoteGroup } from './notes/group-notes.ts';
import { NoteDialog } from './notes/note-dialog.tsx';
import { NotesDialog } from './notes/notes-dialog.tsx';
import { useNotes } from './notes/use-notes.ts';
import { useOverviewWords } from './overview-words.ts';
import { createTimeWords } from './series/create-time-words.ts';
import { readSeries } from './series/series.ts';
import { zoomSpan } from './series/zoom-span.ts';
import { useZoom } from './use-zoom.ts';

/** The chart of the shown view with its notes, or a placeholder while it is loading. */
export function OverviewChart({ answer }: { answer: Answers['query'] | undefined }) {
  const { shown, today, website, change, canEdit, isShared } = useAnalytics();
  const format = useFormat();
  const locale = useLocale();
  const words = useOverviewWords();
  const times = useMemo(() => createTimeWords({ locale }), [locale]);
  const wording = useMemo<Wording>(() => ({ format, times, words, today }), [format, times, words, today]);
  const interval = intervalOf(shown, today);
  const series = useMemo(
    () =>
      answer &&
      readSeries(answer, {
        metric: shown.metric,
        second: shown.second,
        interval,
        timeZone: website.timezone,
      }),
    [answer, shown.metric, shown.second, interval, website.timezone],
  );
  const { zoomIn, zoomOut } = useZoom();
  const hasFocus = useRef(false);
  const notes = useNotes();
  const groups = useMemo(() => (series ? groupNotes(notes.all, series) : []), [notes.all, series]);
  const [edited, setEdited] = useState<Note | { day: string }>();
  const [opened, setOpened] = useState<NoteGroup>();
  const openedNotes = opened?.notes.filter((note) => notes.all.includes(note)) ?? [];

  return (
    <>
      {series === undefined ? (
        <ChartSkeleton />
      ) : (
        <Chart
          series={series}
          wording={wording}
          notes={groups}
          onOpenNotes={setOpened}
          onAddNote={canEdit && !isShared ? (day) => setEdited({ day }) : undefined}
          onZoom={(first, last) => zoomIn(zoomSpan(series, first, last))}
          onZoomOut={zoomOut}
          metrics={metricsOf(shown)}
          onSecond={(second) => change({ second }, { replace: true })}
          hasFocus={hasFocus}
        />
      )}
      {edited !== undefined && (
        <NoteDialog
          websiteId={website.id}
          note={edited}
          onClose={() => setEdited(undefined)}
          onSaved={(note) => {
            notes.save(note);
            setEdited(undefined);
          }}
        />
      )}
      {openedNotes.length > 0 && (
        <NotesDialog
          times={times}
          today={today}
          canEdit={canEdit}
          websiteId={website.id}
          notes={openedNotes}
          onClose={() => setOpened(undefined)}
          onEdit={(note) => {
            setOpened(undefined);
            setEdited(note);
          }}
          onRemoved={notes.remove}
        />
      )}
    </>
  );
}
