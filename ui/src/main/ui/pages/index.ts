import type { ComponentType } from "preact";
import { text } from "../text.ts";
import { ApprovalPage } from "./desk/ApprovalPage.tsx";
import { DeskPage } from "./desk/DeskPage.tsx";
import { JobPage } from "./jobs/JobPage.tsx";
import { JobsPage } from "./jobs/JobsPage.tsx";
import { ReconcilePage } from "./reconcile/ReconcilePage.tsx";
import { ReconciliationPage } from "./reconcile/ReconciliationPage.tsx";
import { PlanPage } from "./replays/PlanPage.tsx";
import { ReplaysPage } from "./replays/ReplaysPage.tsx";
import { ReviewPage } from "./review/ReviewPage.tsx";
import { ReviewsPage } from "./reviews/ReviewsPage.tsx";
import { FlowPage } from "./flow/FlowPage.tsx";
import { FlowsPage } from "./flows/FlowsPage.tsx";
import { AuditPage } from "./audit/AuditPage.tsx";
import { ConnectionPage } from "./connections/ConnectionPage.tsx";
import { ConnectionsPage } from "./connections/ConnectionsPage.tsx";
import { KvPage } from "./kv/KvPage.tsx";
import { ResourcesPage } from "./resources/ResourcesPage.tsx";
import { SchedulesPage } from "./schedules/SchedulesPage.tsx";
import { SettingsPage } from "./settings/SettingsPage.tsx";
import { TenantsPage } from "./tenants/TenantsPage.tsx";
import { TokensPage } from "./tokens/TokensPage.tsx";
import { EventPage } from "./inbox/EventPage.tsx";
import { InboxPage } from "./inbox/InboxPage.tsx";
import { MessagePage } from "./outbox/MessagePage.tsx";
import { EffectPage } from "./ledger/EffectPage.tsx";
import { KeyPage } from "./ledger/KeyPage.tsx";
import { LedgerPage } from "./ledger/LedgerPage.tsx";
import { NodesPage } from "./nodes/NodesPage.tsx";
import { OverviewPage } from "./overview/OverviewPage.tsx";
import { OutboxPage } from "./outbox/OutboxPage.tsx";
import { QueuesPage } from "./queues/QueuesPage.tsx";
import { RunPage } from "./run/RunPage.tsx";
import { RunsPage } from "./runs/RunsPage.tsx";
import { PeoplePage } from "./people/PeoplePage.tsx";

/** A page: where it is, and what it shows. Paths of the server are taken: /api, /hooks, /approvals/x, /metrics. */
export interface Page {
  /** With parameters such as :id, which the component gets. */
  path: string;
  title: string;
  show: ComponentType<any>;
  /** The entry of the navigation, if it has one: a scope that it needs, and the second key after g, if it has one. */
  nav?: { key?: string; scope: string; group: Group };
}

/** The groups of the navigation, in their order. */
export const GROUPS = ["work", "operate", "build", "data", "admin"] as const;
export type Group = (typeof GROUPS)[number];

/** All pages, in the order of the navigation. A new page is one line here and a folder beside. */
export const pages: Page[] = [
  { path: "/", title: text.overview.title, show: OverviewPage, nav: { key: "h", scope: "runs:read", group: "work" } },
  { path: "/runs", title: text.nav.runs, show: RunsPage, nav: { key: "r", scope: "runs:read", group: "work" } },
  { path: "/runs/:id", title: text.run.title, show: RunPage },
  { path: "/reviews", title: text.nav.reviews, show: ReviewsPage, nav: { key: "v", scope: "effects:read", group: "work" } },
  { path: "/reviews/:id", title: text.review.title, show: ReviewPage },
  { path: "/desk", title: text.nav.desk, show: DeskPage, nav: { key: "a", scope: "approvals:read", group: "work" } },
  { path: "/desk/:id", title: text.nav.desk, show: ApprovalPage },
  { path: "/ledger", title: text.ledger.title, show: LedgerPage, nav: { key: "l", scope: "effects:read", group: "work" } },
  { path: "/ledger/key", title: text.ledger.one, show: KeyPage },
  { path: "/ledger/:id", title: text.ledger.one, show: EffectPage },
  { path: "/replays", title: text.nav.replays, show: ReplaysPage, nav: { key: "p", scope: "runs:read", group: "operate" } },
  { path: "/replays/:plan", title: text.replays.plan, show: PlanPage },
  { path: "/jobs", title: text.nav.jobs, show: JobsPage, nav: { key: "j", scope: "runs:read", group: "operate" } },
  { path: "/jobs/:id", title: text.jobs.one, show: JobPage },
  { path: "/reconciliations", title: text.nav.reconcile, show: ReconcilePage, nav: { key: "e", scope: "effects:read", group: "operate" } },
  { path: "/reconciliations/:id", title: text.reconcile.one, show: ReconciliationPage },
  { path: "/flows", title: text.flows.title, show: FlowsPage, nav: { key: "f", scope: "flows:read", group: "build" } },
  { path: "/flows/:flow", title: text.flow.title, show: FlowPage },
  { path: "/schedules", title: text.schedules.title, show: SchedulesPage, nav: { key: "s", scope: "schedules:read", group: "build" } },
  { path: "/connections", title: text.connections.title, show: ConnectionsPage, nav: { key: "c", scope: "connections:read", group: "build" } },
  { path: "/connections/:name", title: text.connections.one, show: ConnectionPage },
  { path: "/inbox", title: text.inbox.title, show: InboxPage, nav: { key: "i", scope: "inbox:read", group: "data" } },
  { path: "/inbox/:id", title: text.inbox.eventTitle, show: EventPage },
  { path: "/queues", title: text.queues.title, show: QueuesPage, nav: { key: "q", scope: "inbox:read", group: "data" } },
  { path: "/outbox", title: text.outbox.title, show: OutboxPage, nav: { key: "o", scope: "runs:read", group: "data" } },
  { path: "/outbox/:id", title: text.outbox.messageTitle, show: MessagePage },
  { path: "/kv", title: text.kv.title, show: KvPage, nav: { key: "k", scope: "kv:read", group: "data" } },
  { path: "/resources", title: text.resources.title, show: ResourcesPage, nav: { scope: "resources:read", group: "data" } },
  { path: "/nodes", title: text.nodes.title, show: NodesPage, nav: { key: "n", scope: "admin", group: "admin" } },
  { path: "/tokens", title: text.tokens.title, show: TokensPage, nav: { key: "t", scope: "admin", group: "admin" } },
  { path: "/tenants", title: text.tenants.title, show: TenantsPage, nav: { scope: "admin", group: "admin" } },
  { path: "/people", title: text.people.title, show: PeoplePage, nav: { key: "d", scope: "subjects:read", group: "admin" } },
  { path: "/audit", title: text.audit.title, show: AuditPage, nav: { key: "u", scope: "admin", group: "admin" } },
  { path: "/settings", title: text.settings.title, show: SettingsPage, nav: { scope: "admin", group: "admin" } },
];
