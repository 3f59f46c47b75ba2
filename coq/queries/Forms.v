(** * Queries as sums of monomials (THEORY-SQL, section 2)

    A monomial takes a row for each of its slots, wherever its condition holds, and has the cells of a row: terms over the variables
    [Any 0], [Any 1], …, first those around it, then its slots. Whether a subquery has a row is the value of a function that a proof
    defines, of the rows around it: Ex of the theory, with its scope for arguments. *)
From Tallystick.queries Require Export Sound.

Definition cells_of := list (Q.kind * (term * term)).
Record monomial := { over : list (string * ty); condition : term; heads : cells_of }.
Definition kinds_of (h : cells_of) : list Q.kind := map fst h.
Definition types (l : list (string * ty)) : list ty := map snd l.
Definition slots_types (m : monomial) := types (over m).

(** Whether there are rows of these tables of which the condition holds, which is over the parameters and then the rows. *)
Record existence := { ex_name : string; ex_takes : list ty; ex_over : list (string * ty); ex_where : term }.

(** ** Meaning *)
Fixpoint choices (en : env) (l : list (string * ty)) : list (list val) := match l with
  | [] => [[]] | (t, u) :: l => flat_map (fun v => map (cons v) (choices en l)) (elements (en (N t) (TBag u))) end.
Definition ex_value (en : env) (d : existence) (vs : list val) : bool :=
  existsb (fun ys => toB (meaning (bound (ex_takes d ++ types (ex_over d)) (vs ++ ys) en) (ex_where d))) (choices en (ex_over d)).
Definition knows_ex (ds : list existence) (en : env) := forall d, In d ds -> forall vs, Forall2 has_type vs (ex_takes d) ->
  en (App (ex_name d) (ex_takes d) vs) TBool = VBool (ex_value en d vs).
Lemma choices_typed en l ys : typed en -> In ys (choices en l) -> Forall2 has_type ys (types l).
Proof.
  intros EN. revert ys; induction l as [|[t u] l IH]; cbn [choices types map]; intros ys; [intros [<-|[]]; constructor|].
  intros I. apply in_flat_map in I as (v & V & I). apply in_map_iff in I as (zs & <- & Z). constructor; [|now apply IH].
  pose proof (has_type_elements _ _ (EN (N t) (TBag u))) as F. rewrite Forall_forall in F. now apply F.
Qed.
Lemma choices_app en l k : choices en (l ++ k) = flat_map (fun ys => map (app ys) (choices en k)) (choices en l).
Proof.
  induction l as [|[t u] l IH]; cbn [app choices flat_map]; [rewrite app_nil_r; symmetry; rewrite <- map_id; now apply map_ext|].
  rewrite flat_map_flat_map. apply flat_map_ext. intros v. rewrite IH, map_flat_map, flat_map_map. apply flat_map_ext. intros ys. now rewrite map_map.
Qed.

(** A place in which the first variables have these values. *)
Definition is_any (x : name) := match x with Any _ => true | _ => false end.
Record here (en : env) (ts : list ty) (vs : list val) (r : env) : Prop := {
  here_typed : typed r; here_same : forall x u, is_any x = false -> r x u = en x u;
  here_any : forall i u, nth_error ts i = Some u -> r (Any i) u = nth i vs nothing }.
Lemma here_bound en ts vs : typed en -> Forall2 has_type vs ts -> here en ts vs (bound ts vs en).
Proof.
  intros EN F. split; [now apply bound_typed| |].
  - intros x u X. destruct x; auto; discriminate.
  - intros i u N. now apply bound_nth.
Qed.
Lemma here_app en ts us vs ws r : Forall2 has_type vs ts -> here en (ts ++ us) (vs ++ ws) r -> here en ts vs r.
Proof.
  intros F [A B C]. split; auto. intros i u N. pose proof (Forall2_length _ _ _ F) as L.
  assert (LT : (i < List.length ts)%nat) by (apply nth_error_Some; congruence).
  rewrite (C i u) by (rewrite nth_error_app1; auto). apply app_nth1. lia.
Qed.
Lemma here_meaning en ts vs r t : typed en -> Forall2 has_type vs ts -> scoped true ts t = true -> here en ts vs r -> meaning r t = meaning (bound ts vs en) t.
Proof.
  intros EN F S [A B C]. apply (scoped_ext _ _ _ _ _ S). intros x u X. destruct x; try (rewrite B by reflexivity; reflexivity).
  rewrite (C i u X). symmetry. now apply bound_nth.
Qed.

(** ** Compilation *)
Definition call (d : existence) (args : list term) : term := Op (Apply (ex_name d) (ex_takes d) TBool) args.
Definition over_eqb (l k : list (string * ty)) := list_eqb (fun a b => String.eqb (fst a) (fst b) && ty_eqb (snd a) (snd b)) l k.
Definition find_ex (ds : list existence) (ts : list ty) (l : list (string * ty)) (w : term) : option existence :=
  find (fun d => list_eqb ty_eqb (ex_takes d) ts && over_eqb (ex_over d) l && term_eqb (ex_where d) w) ds.
Definition uniform (ms : list monomial) : option (list monomial * list Q.kind) := match ms with
  | [] => None
  | m :: _ => if forallb (fun n => list_eqb kind_eqb (kinds_of (heads n)) (kinds_of (heads m))) ms then Some (ms, kinds_of (heads m)) else None end.
Definition also (t : term) (m : monomial) := {| over := over m; condition := conj [condition m; t]; heads := heads m |}.
Definition with_heads (h : cells_of) (m : monomial) := {| over := over m; condition := condition m; heads := h |}.
Definition beside (m n : monomial) := {| over := over m ++ over n; condition := conj [condition m; condition n]; heads := heads m ++ heads n |}.

(** A stored cell as a cell; the cells of a table's row, and those of a row that is a parameter. *)
Definition read_cell (c : column) (t : term) : term * term :=
  if negb (snd c) then (Bool false, t) else
  let null := Op (Proj 0) [t] in let v := Op (Proj 1) [t] in
  (null, match fst c with Q.Truths => Op And [Op Not [null]; v] | _ => Op Ite [null; Int 0; v] end).
Fixpoint table_cells (t : term) (i : nat) (cs : list column) : cells_of := match cs with
  | [] => [] | c :: cs => (fst c, read_cell c (Op (Proj i) [t])) :: table_cells t (Datatypes.S i) cs end.
Fixpoint row_cells (t : term) (i : nat) (ks : list Q.kind) : cells_of := match ks with
  | [] => [] | k :: ks => (k, (proj (proj t i) 0, proj (proj t i) 1)) :: row_cells t (Datatypes.S i) ks end.
Definition tuple (h : cells_of) : term := Op Tuple (map (fun c => Op Tuple [fst (snd c); snd (snd c)]) h).
Fixpoint parameters_from (i : nat) (scopes : list cells_of) : list cells_of := match scopes with
  | [] => [] | h :: scopes => row_cells (Var (Any i) (row_ty (kinds_of h))) 0 (kinds_of h) :: parameters_from (Datatypes.S i) scopes end.
Definition takes_of (scopes : list cells_of) : list ty := map (fun h => row_ty (kinds_of h)) scopes.
Fixpoint same_cells_term (h k : cells_of) : option (list term) := match h, k with
  | [], [] => Some []
  | (j, (n, x)) :: h, (l, (m, y)) :: k => if kind_eqb j l then option_map (app [eq' n m; eq' x y]) (same_cells_term h k) else None
  | _, _ => None end.

(** A slot for every row that there might be, once: the bag of this name has all that matter. *)
Definition letter (k : Q.kind) : string := match k with Q.Numbers => "n" | Q.Truths => "b" | Q.Texts => "t" end.
Definition every (ks : list Q.kind) : string := String.append "*" (fold_right (fun k s => String.append (letter k) s) ""%string ks).
Fixpoint lettered (s : string) : list Q.kind := match s with
  | EmptyString => []
  | String c s => (if String.eqb (String c "") "n" then Q.Numbers else if String.eqb (String c "") "b" then Q.Truths else Q.Texts) :: lettered s end.
Definition kinds_named (s : string) : list Q.kind := match s with String _ s => lettered s | _ => [] end.
Lemma kinds_every ks : kinds_named (every ks) = ks.
Proof. unfold every, kinds_named. cbn [String.append]. induction ks as [|[] ks IH]; cbn [fold_right String.append letter lettered]; auto; now rewrite IH. Qed.
Definition is_table (name : string) : bool := negb (String.prefix "*" name).
(** DISTINCT outside of expressions. *)
Fixpoint distincts (q : Q.query) : list Q.query := match q with
  | Q.Distinct q => q :: distincts q
  | Q.Where _ q | Q.Select _ q => distincts q
  | Q.Join _ p q | Q.LeftJoin _ _ p q | Q.UnionAll p q => distincts p ++ distincts q
  | Q.SemiJoin _ _ p _ | Q.Among _ p _ => distincts p
  | _ => [] end.

Section Compilation.
  Variables (ds : list existence) (s : Q.schema).
  Definition compiler := list ty -> list cells_of -> Q.query -> option (list monomial * list Q.kind).
  Definition term_compiler := list ty -> list cells_of -> Q.expression -> option (Q.kind * (term * term)).
  (** Whether some row of [q] satisfies a condition: [within] says which, in the place of the row's cells. *)
  Definition some_row (form : compiler) (scopes : list cells_of) (inner : list cells_of) (within : list ty -> cells_of -> option term) (q : Q.query) : option term :=
    let ts := takes_of scopes in
    bind (match distincts q with [] => form ts inner q | _ => None end) (fun '(ms, _) => bind (sequence (map (fun m =>
      bind (within (ts ++ slots_types m) (heads m)) (fun t => let w := conj [condition m; t] in
        if term_eqb w ff' then Some ff' else bind (find_ex ds ts (over m) w) (fun d => Some (call d (map tuple scopes))))) ms))
    (fun l => Some (disj l))).
  Definition truth (terms : term_compiler) (ts : list ty) (scopes : list cells_of) (e : Q.expression) : option (term * term) :=
    match terms ts scopes e with Some (Q.Truths, t) => Some t | _ => None end.
  Definition for_some (form : compiler) (terms : term_compiler) (scopes : list cells_of) (c : Q.expression) (q : Q.query) : option (term * term) :=
    let inner := parameters_from 0 scopes in
    let within part ts h := option_map part (truth terms ts (h :: inner) c) in
    bind (some_row form scopes inner (within snd) q) (fun yes => bind (some_row form scopes inner (within fst) q) (fun unknown =>
      Some (conj [neg yes; unknown], yes))).
  Definition each (f : monomial -> option monomial) (ms : list monomial) : option (list monomial * list Q.kind) := bind (sequence (map f ms)) uniform.
  Fixpoint form (fuel : nat) (ts : list ty) (scopes : list cells_of) (q : Q.query) {struct fuel} : option (list monomial * list Q.kind) :=
    match fuel with O => None | Datatypes.S n => match q with
    | Q.Table t => bind (lookup s t) (fun cs => Some (
        [{| over := [(t, table_ty cs)]; condition := tt'; heads := table_cells (Var (Any (List.length ts)) (table_ty cs)) 0 cs |}], map fst cs))
    | Q.Where c q => bind (form n ts scopes q) (fun '(ms, _) => each (fun m =>
        option_map (fun t => also (snd t) m) (truth (terms n) (ts ++ slots_types m) (heads m :: scopes) c)) ms)
    | Q.Select es q => bind (form n ts scopes q) (fun '(ms, _) => each (fun m =>
        option_map (fun h => with_heads h m) (sequence (map (terms n (ts ++ slots_types m) (heads m :: scopes)) es))) ms)
    | Q.Join c p q => bind (form n ts scopes p) (fun '(ms, _) => bind (sequence (map (fun m => bind (form n (ts ++ slots_types m) scopes q) (fun '(ms', _) =>
        sequence (map (fun m' => let b := beside m m' in option_map (fun t => also (snd t) b) (truth (terms n) (ts ++ slots_types b) (heads b :: scopes) c)) ms'))) ms))
        (fun l => uniform (List.concat l)))
    | Q.SemiJoin kept c p q => bind (form n ts scopes p) (fun '(ms, _) => each (fun m =>
        let all := heads m :: scopes in match parameters_from 0 all with [] => None | own :: inner =>
        option_map (fun e => also (if kept then e else neg e) m)
          (some_row (form n) all inner (fun ts h => option_map snd (truth (terms n) ts ((own ++ h) :: inner) c)) q) end) ms)
    | Q.LeftJoin width c p q => bind (form n ts scopes (Q.Join c p q)) (fun '(joined, ks) => bind (form n ts scopes (Q.SemiJoin false c p q)) (fun '(alone, js) =>
        let nulls := map (fun k => (k, (Bool true, literal k Q.Null))) (skipn (List.length js) ks) in
        if Nat.eqb (List.length nulls) width then uniform (joined ++ map (fun m => with_heads (heads m ++ nulls) m) alone) else None))
    | Q.UnionAll p q => bind (form n ts scopes p) (fun '(ms, _) => bind (form n ts scopes q) (fun '(ms', _) => uniform (ms ++ ms')))
    | Q.Among kept p q => bind (form n ts scopes p) (fun '(ms, _) => each (fun m =>
        let all := heads m :: scopes in match parameters_from 0 all with [] => None | own :: inner =>
        option_map (fun e => also (if kept then e else neg e) m) (some_row (form n) all inner (fun _ h => option_map conj (same_cells_term own h)) q) end) ms)
    | Q.Distinct q => bind (form n ts scopes q) (fun '(_, ks) =>
        let k := row_cells (Var (Any (List.length ts)) (row_ty ks)) 0 ks in
        match parameters_from 0 (k :: scopes) with [] => None | own :: inner =>
        option_map (fun e => ([{| over := [(every ks, row_ty ks)]; condition := e; heads := k |}], ks))
          (some_row (form n) (k :: scopes) inner (fun _ h => option_map conj (same_cells_term own h)) q) end)
    | _ => None
    end end
  with terms (fuel : nat) (ts : list ty) (scopes : list cells_of) (e : Q.expression) {struct fuel} : option (Q.kind * (term * term)) :=
    match fuel with O => None | Datatypes.S n =>
      let column i j := bind (nth_error scopes i) (fun h => option_map fst (nth_error h j)) in
      let cell_at i j := match bind (nth_error scopes i) (fun h => nth_error h j) with Some c => snd c | None => (tt', tt') end in
      let some := for_some (form n) (terms n) scopes in
      option_map (fun k => (k, compiled_in cell_at some e)) (kind_in column some e)
    end.
End Compilation.
