package dev.hapax.store.postgres;

import dev.hapax.store.Store;
import dev.hapax.testkit.contract.AdmissionContract;
import dev.hapax.testkit.contract.BadInputContract;
import dev.hapax.testkit.contract.CallContract;
import dev.hapax.testkit.contract.CancelContract;
import dev.hapax.testkit.contract.ClaimContract;
import dev.hapax.testkit.contract.DecisionContract;
import dev.hapax.testkit.contract.DueContract;
import dev.hapax.testkit.contract.EffectContract;
import dev.hapax.testkit.contract.GateContract;
import dev.hapax.testkit.contract.InboxContract;
import dev.hapax.testkit.contract.JournalContract;
import dev.hapax.testkit.contract.KvContract;
import dev.hapax.testkit.contract.LaneContract;
import dev.hapax.testkit.contract.LedgerLifeContract;
import dev.hapax.testkit.contract.LedgerRetentionContract;
import dev.hapax.testkit.contract.ListContract;
import dev.hapax.testkit.contract.LockContract;
import dev.hapax.testkit.contract.OwnershipContract;
import dev.hapax.testkit.contract.ResourceContract;
import dev.hapax.testkit.contract.RetentionContract;
import dev.hapax.testkit.contract.ScheduleContract;
import dev.hapax.testkit.contract.SpawnContract;
import dev.hapax.testkit.contract.UndoContract;
import dev.hapax.testkit.contract.UnknownCommitContract;
import dev.hapax.testkit.contract.UpdateContract;
import dev.hapax.testkit.contract.WaitContract;
import dev.hapax.time.Ports;
import org.junit.jupiter.api.Nested;

/** The PostgreSQL store keeps the contract of all stores. */
class PostgresStoreContractTest {
  private Store openStore() {
    return new PostgresStore(
        TestDatabase.empty(PostgresStoreContractTest.class)::getConnection,
        Ports.system().threads());
  }

  @Nested
  class Admission extends AdmissionContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class BadInput extends BadInputContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Call extends CallContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Cancel extends CancelContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Claim extends ClaimContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Decision extends DecisionContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Due extends DueContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Effect extends EffectContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Gate extends GateContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Inbox extends InboxContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Journal extends JournalContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Kv extends KvContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Lane extends LaneContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class LedgerLife extends LedgerLifeContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class LedgerRetention extends LedgerRetentionContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class List extends ListContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Lock extends LockContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Ownership extends OwnershipContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Resource extends ResourceContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Retention extends RetentionContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Schedule extends ScheduleContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Spawn extends SpawnContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Undo extends UndoContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class UnknownCommit extends UnknownCommitContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Update extends UpdateContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }

  @Nested
  class Wait extends WaitContract {
    @Override
    protected Store open() {
      return openStore();
    }
  }
}
