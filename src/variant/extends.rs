//! Finding variants by name or path, and following `extends` to the root.
//!
//! Reads files, at most [`FILE_MAX`] bytes of each; never writes one.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::file::VariantFile;
use super::library;
use super::problems::{Problem, Problems, Spot};
use super::suggest::{nearest, one_of, shown};
use super::table::Table;

pub use crate::limits::EXTENDS_MAX as DEPTH_MAX;
pub use crate::limits::TOML_BYTES_MAX as FILE_MAX;

/// Where a variant is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Address {
    /// Built into the program.
    Shipped(&'static str),
    /// A file, as it was written; relative to the current folder or absolute.
    File(PathBuf),
}

/// What the names in `extends` may mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// Shipped variants and paths relative to this folder.
    Folder(PathBuf),
    /// Shipped variants only.
    NamesOnly,
}

impl Address {
    /// The address that a text means: a shipped name, or, with a slash or the ending `.toml`, a
    /// path.
    pub(super) fn of(text: &str, base: &Base) -> Result<Self, Problem> {
        if let Some(name) = library::name(text) {
            return Ok(Self::Shipped(name));
        }
        let is_path = text.contains(['/', '\\'])
            || Path::new(text).extension().is_some_and(|end| end.eq_ignore_ascii_case("toml"));
        match base {
            Base::Folder(folder) if is_path => {
                // Through its components, so that `./` does not show in messages.
                Ok(Self::File(folder.join(text).components().collect()))
            }
            Base::NamesOnly if is_path => {
                let message = format!("no variant can be read from a file here: `{}`", shown(text));
                Err(Problem::error(message).with_help(known_names()))
            }
            Base::Folder(_) | Base::NamesOnly => Err(unknown_name(text, base)),
        }
    }

    /// The name for messages.
    pub(super) fn display(&self) -> String {
        match self {
            Self::Shipped(name) => format!("{name} (shipped)"),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// The short name of the variant: the shipped name, or the file's name without its ending.
    pub(super) fn id(&self) -> String {
        match self {
            Self::Shipped(name) => (*name).to_owned(),
            Self::File(path) => path
                .file_stem()
                .map_or_else(|| "variant".to_owned(), |stem| stem.to_string_lossy().into_owned()),
        }
    }

    /// What `extends` in that file may mean.
    pub(super) fn base(&self) -> Base {
        match self {
            Self::Shipped(_) => Base::NamesOnly,
            Self::File(path) => {
                Base::Folder(path.parent().map_or_else(PathBuf::new, Path::to_path_buf))
            }
        }
    }

    /// The same for two ways to write one place.
    fn identity(&self) -> Self {
        match self {
            Self::Shipped(_) => self.clone(),
            Self::File(path) => Self::File(path.canonicalize().unwrap_or_else(|_| path.clone())),
        }
    }

    /// The text found there.
    pub(super) fn read(&self) -> Result<String, Problem> {
        match self {
            Self::Shipped(name) => Ok(library::text(name).unwrap_or_default().to_owned()),
            Self::File(path) => read_text(path),
        }
    }
}

/// The text of a file of at most [`FILE_MAX`] bytes.
///
/// # Errors
/// When it cannot be read, is larger, or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, Problem> {
    let name = path.display().to_string();
    let unreadable = |error: std::io::Error| {
        let mut reason = error.to_string();
        if let Some(end) = reason.find(" (os error") {
            reason.truncate(end);
        }
        Problem::error(format!("cannot read `{name}`: {}", reason.to_lowercase()))
    };
    let too_large = || {
        let message = format!("`{name}` is larger than {FILE_MAX} bytes, so it was not read");
        Problem::error(message).with_help("a variant or study file is a few hundred bytes long")
    };
    let file = File::open(path).map_err(unreadable)?;
    let about = file.metadata().map_err(unreadable)?;
    if about.is_dir() {
        return Err(Problem::error(format!("cannot read `{name}`: it is a folder")));
    }
    if about.len() > FILE_MAX {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // Devices and growing files have no true length: what is read is limited too.
    file.take(FILE_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > FILE_MAX {
        return Err(too_large());
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count();
        let byte = error.as_bytes()[valid];
        Problem::error(format!("`{name}` is not UTF-8: byte 0x{byte:02x} in line {line}"))
            .with_help("save the file with the encoding UTF-8")
    })
}

/// One file of a chain.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) display: String,
    pub(super) file: VariantFile,
}

/// Reads the file at an address and adds its text to the problems.
pub(super) fn read_file(
    address: &Address,
    problems: &mut Problems,
) -> Result<VariantFile, Problem> {
    let text = address.read()?;
    Ok(parse_file(&address.display(), &text, problems))
}

/// The tables of a text, which is added to the problems.
pub(super) fn parse_file(name: &str, text: &str, problems: &mut Problems) -> VariantFile {
    let file = problems.add_text(name, text);
    let (table, bad_lines) = Table::from_toml(file, text, problems);
    let mut found = Problems::new();
    let variant = VariantFile::read(table, &mut found);
    // Beside a syntax error, half a value is read: what is said about its line is not to be told.
    problems.append(found, |problems, problem| {
        let place = problem.place.as_ref();
        place.is_some_and(|place| {
            let line = problems.line_of(&place.spot);
            bad_lines.iter().any(|lines| lines.contains(&line))
        })
    });
    variant
}

/// The leaf and all that it extends, nearest first; faults on the way become problems.
pub(super) fn chain(
    leaf: VariantFile,
    leaf_address: Option<&Address>,
    leaf_display: String,
    base: Base,
    problems: &mut Problems,
) -> Vec<Link> {
    let mut seen: Vec<(Address, String)> =
        leaf_address.map(|address| (address.identity(), address.display())).into_iter().collect();
    let mut links = vec![Link { display: leaf_display, file: leaf }];
    let mut base = base;
    while let Some(extends) = links.last().and_then(|link| link.file.extends.clone()) {
        let spot = extends.spot.as_ref();
        match parent(&extends.value, spot, &base, &mut seen, problems) {
            Ok((address, file)) => {
                base = address.base();
                links.push(Link { display: address.display(), file });
            }
            Err(problem) => {
                problems.push(problem);
                break;
            }
        }
    }
    links
}

fn parent(
    text: &str,
    spot: Option<&Spot>,
    base: &Base,
    seen: &mut Vec<(Address, String)>,
    problems: &mut Problems,
) -> Result<(Address, VariantFile), Problem> {
    let address = Address::of(text, base).map_err(|problem| problem.at(spot, ""))?;
    let identity = address.identity();
    if let Some(start) = seen.iter().position(|(other, _)| *other == identity) {
        let mut names: Vec<&str> = seen[start..].iter().map(|(_, name)| name.as_str()).collect();
        names.push(names[0]);
        let message = format!("`extends` goes in a circle: {}", names.join(" -> "));
        return Err(Problem::error(message).at(spot, "this closes the circle"));
    }
    if seen.len() >= DEPTH_MAX {
        let message = format!("`extends` goes through more than {DEPTH_MAX} files");
        return Err(Problem::error(message).at(spot, ""));
    }
    seen.push((identity, address.display()));
    let file = read_file(&address, problems).map_err(|problem| problem.at(spot, ""))?;
    Ok((address, file))
}

fn unknown_name(text: &str, base: &Base) -> Problem {
    let mut problem = Problem::error(format!("no variant is called `{}`", shown(text)));
    if let Base::Folder(folder) = base {
        for path in [format!("./{text}"), format!("./{text}.toml")] {
            if folder.join(&path).is_file() {
                problem = problem
                    .with_help(format!("for the file of that name, write its path, `{path}`"));
            }
        }
    }
    if let Some(name) = nearest(text, library::NAMES) {
        problem = problem.with_help(format!("did you mean `{name}`?"));
    }
    problem.with_help(known_names())
}

fn known_names() -> String {
    format!("the shipped variants are {}", one_of(library::NAMES).replace(" or ", " and "))
}
