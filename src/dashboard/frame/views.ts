import {
  Activity,
  CalendarClock,
  ClipboardCheck,
  House,
  type IconNode,
  Library,
  MessageCircleQuestionMark,
  RotateCcw,
  Settings,
  Share2,
  Users,
} from 'lucide';
import type { FunctionComponent } from 'preact';

export type View = { title: string; icon: IconNode; load: () => Promise<FunctionComponent> };

/** The views in the order of their use; each is read when it is opened. */
export const views = {
  home: {
    title: 'Home',
    icon: House,
    load: async () => (await import('../home/home.tsx')).Home,
  },
  memories: {
    title: 'Memories',
    icon: Library,
    load: async () => (await import('../memories/memories.tsx')).Memories,
  },
  people: {
    title: 'People',
    icon: Users,
    load: async () => (await import('../people/people.tsx')).People,
  },
  ask: {
    title: 'Ask',
    icon: MessageCircleQuestionMark,
    load: async () => (await import('../ask/ask.tsx')).Ask,
  },
  review: {
    title: 'Review',
    icon: ClipboardCheck,
    load: async () => (await import('../review/review.tsx')).Review,
  },
  timeline: {
    title: 'Timeline',
    icon: CalendarClock,
    load: async () => (await import('../timeline/timeline.tsx')).Timeline,
  },
  graph: {
    title: 'Graph',
    icon: Share2,
    load: async () => (await import('../graph/graph.tsx')).Graph,
  },
  replay: {
    title: 'Replay',
    icon: RotateCcw,
    load: async () => (await import('../replay/replay.tsx')).Replay,
  },
  activity: {
    title: 'Activity',
    icon: Activity,
    load: async () => (await import('../activity/activity.tsx')).Activity,
  },
  settings: {
    title: 'Settings',
    icon: Settings,
    load: async () => (await import('../settings/settings.tsx')).Settings,
  },
} satisfies Record<string, View>;

export type ViewName = keyof typeof views;

export const viewEntries = Object.entries(views) as [ViewName, View][]; // its own keys
