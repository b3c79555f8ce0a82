//! Damaged stores: bits that flipped anywhere, and files that were cut, are told or change no game;
//! nothing that is refused is changed.

use std::path::Path;

use keny::player::Rng;
use keny::record::Record;
use keny::study::{Plan, Store, StoreError};

use super::{plan, rows, run_to_end};

/// The games of a damaged store, where going on with it or reading it was not refused; the first
/// refusal otherwise.
fn after(path: &Path, plan: &Plan, bytes: &[u8]) -> Result<Vec<Vec<Record>>, StoreError> {
    let resumed = |path: &Path| Store::create_or_resume(path, plan, "");
    let opened = |path: &Path| Store::open(path);
    let ways: [&dyn Fn(&Path) -> Result<Store, StoreError>; 2] = [&resumed, &opened];
    let (mut found, mut refused) = (Vec::new(), None);
    for way in ways {
        std::fs::write(path, bytes).expect("a file");
        let games = way(path).and_then(|store| store.done().map(|_| rows(&store)));
        match games {
            Ok(games) => found.push(games),
            Err(error) => {
                refused = refused.or(Some(error));
                let left = std::fs::read_dir(path.parent().expect("a folder"));
                assert_eq!(left.expect("the folder").count(), 1, "files were left beside it");
                assert!(std::fs::read(path).expect("a file") == bytes, "it was changed");
            }
        }
    }
    match refused {
        Some(error) if found.is_empty() => Err(error),
        Some(_) | None => Ok(found),
    }
}

fn stored() -> (tempfile::TempDir, Plan, Vec<u8>, Vec<Record>) {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(&["keny", "turkish"], &[("random", "random", 30)]);
    let path = folder.path().join("run");
    let (games, _) = run_to_end(&plan, &path, 2, u64::MAX);
    let bytes = std::fs::read(&path).expect("a store");
    (folder, plan, bytes, games)
}

#[test]
fn flipped_bits_are_told_or_change_no_game() {
    let (folder, plan, whole, games) = stored();
    let path = folder.path().join("run");
    let mut rng = Rng::from_seed(1);
    // All of the file's header, and many places behind it.
    let mut places: Vec<(usize, u8)> = (0..100).map(|byte| (byte, 1 << (byte % 8))).collect();
    places.extend((0..900).map(|_| (rng.below(whole.len()), 1 << rng.below(8))));
    let mut told = 0;
    for (byte, bit) in &places {
        let mut bytes = whole.clone();
        bytes[*byte] ^= bit;
        match after(&path, &plan, &bytes) {
            Ok(found) => {
                let same = found.iter().all(|found| *found == games);
                assert!(same, "byte {byte}, bit {bit}: other games");
            }
            Err(StoreError::Locked { .. } | StoreError::Full { .. } | StoreError::Disk { .. }) => {
                panic!("byte {byte}, bit {bit}: damage was taken for something that passes")
            }
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains(&*path.to_string_lossy()), "{text}");
                told += 1;
            }
        }
    }
    // What is not told lies in unused room, of which a small store has much.
    assert!(told * 4 > places.len(), "only {told} of {} were told", places.len());
}

#[test]
fn flipped_bits_of_a_game_are_always_told() {
    let (folder, plan, whole, games) = stored();
    let path = folder.path().join("run");
    let mut rng = Rng::from_seed(2);
    for game in &games {
        let length = game.turns.len();
        let (byte, bit) = (rng.below(length), 1 << rng.below(8));
        let mut bytes = whole.clone();
        // Unused room may hold them once more.
        for place in 0..=whole.len() - length {
            if whole[place..place + length] == game.turns[..] {
                bytes[place + byte] ^= bit;
            }
        }
        let told = after(&path, &plan, &bytes).map(|_| game.key);
        let error = told.expect_err("damage").to_string();
        assert!(error.ends_with("it holds a game that does not fit its checksum"), "{error}");
    }
}

#[test]
fn cut_stores_are_told() {
    let (folder, plan, whole, _) = stored();
    let path = folder.path().join("run");
    let mut lengths: Vec<usize> = (1..whole.len()).step_by(509).collect();
    lengths.extend((0..whole.len()).step_by(4096).skip(1));
    lengths.push(whole.len() - 1);
    for length in lengths {
        let error = after(&path, &plan, &whole[..length]).expect_err("a part of a store");
        assert!(
            matches!(error, StoreError::Damaged { .. } | StoreError::NotAStore { .. }),
            "{length} bytes: {error}"
        );
    }
}
