import { plainly, plural } from "../../core/format.ts";
import { glimpse, parse } from "../../core/json.ts";
import { Time } from "../../components/Time.tsx";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";
import type { ReviewItem } from "./ReviewsPage.tsx";

interface Shown {
  review: ReviewItem;
  isSelected: boolean;
  /** Undefined if rows cannot be marked. */
  marked: boolean | undefined;
  onMark: (on: boolean) => void;
}

/** Where the effect was sent and what it asked for: what differs from row to row. */
function askedOf({ destination, request, key }: ReviewItem): string {
  const body = (request as { body?: unknown } | null | undefined)?.body ?? request;
  let asked = body;
  try {
    if (typeof body === "string") asked = parse(body);
  } catch {
    // not JSON: shown as it is
  }
  return [destination, glimpse(asked, key)].filter(Boolean).join(" · ");
}

export function ReviewRow({ review, isSelected, marked, onMark }: Shown) {
  return (
    <li class={"review-line" + (isSelected ? " selected" : "")}>
      {marked !== undefined && (
        <label class="review-mark">
          <span class="sr">{text.reviews.mark(review.key)}</span>
          <input type="checkbox" checked={marked} onChange={(event) => onMark(event.currentTarget.checked)} />
        </label>
      )}
      <a class="review-row" href={link(pathTo("reviews", review.id))}>
        <span class="mono cut">{review.key}</span>
        <span class="cut">
          {review.flow ?? ""} <span class="muted">› {review.step + (review.item ? " · " + review.item : "")}</span>
        </span>
        <span class="cut muted review-evidence" title={plainly(review.evidence ?? "")}>
          {askedOf(review) || plainly(review.evidence ?? "")}
        </span>
        <span class="cut review-person">
          {review.assignee}
          {review.commentCount > 0 && <span class="muted"> {plural(review.commentCount, "comment")}</span>}
        </span>
        <span class="muted review-age">{review.since && <Time at={review.since} isRelative />}</span>
      </a>
    </li>
  );
}
